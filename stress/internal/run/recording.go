package run

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// A Recording is the recording of a failed execution, read from a file.
type Recording struct {
	*recording.Recording
	File     string
	Scenario *scenario.Scenario // nil for the recording of a test: one that called chaos.Explore, or of stress test
}

// ReadRecording reads a recording from a file. Errors are *InputErrors, *recording.Errors, and
// ErrNotChaos for a scenario in a binary built without the chaos tag. The subjects are those
// that Load takes.
func ReadRecording(path string, subjects ...subject.Subject) (*Recording, error) {
	data, err := scenario.ReadInput(path, scenario.MaxInput)
	if err != nil {
		return nil, err
	}
	return parseRecording(path, data, subjects...)
}

func parseRecording(path string, data []byte, subjects ...subject.Subject) (*Recording, error) {
	r, err := recording.Parse(path, string(data))
	if err != nil {
		return nil, err
	}
	rec := &Recording{Recording: r, File: path}
	if r.Origin() != recording.OfScenario {
		if _, _, err := r.Test(); err != nil {
			line, column := placeOf(data, "subject: ")
			return nil, &scenario.InputError{File: path, Line: line, Column: column, Problem: err.Error()}
		}
		return rec, nil
	}
	if rec.Scenario, err = scenarioOf(path, data, r, subjects...); err != nil {
		return nil, err
	}
	return rec, nil
}

// scenarioOf reads the scenario in a recording whose text is data.
func scenarioOf(path string, data []byte, r *recording.Recording, subjects ...subject.Subject) (*scenario.Scenario, error) {
	first, _ := placeOf(data, "setup:")
	sc, err := scenario.One(yamltree.Source{
		File: path, Text: []byte(r.Setup), Place: func(line, column int) (int, int) { return first + line, column + len("  ") },
	}, subjects...)
	if err != nil {
		return nil, err
	}
	field, problem := "", ""
	switch seed := recordedSeed(sc, r); {
	case r.Subject != scenarioSubject+sc.Name:
		field, problem = "subject: ", fmt.Sprintf("found %q, want %q, which is in the setup", nearest.Clip(r.Subject), scenarioSubject+sc.Name)
	case r.Kind == recording.Controlled && sc.Mode != scenario.Control:
		field, problem = "setup:", fmt.Sprintf("found a %s scenario in a %s recording, want one with mode: control", sc.Mode, r.Kind)
	case r.Kind == recording.Native && r.Seed != seed:
		field, problem = "seed: ", fmt.Sprintf("found %#x, want %#x: the one that follows from campaign, scenario and execution", r.Seed, seed)
	default:
		return sc, nil
	}
	line, column := placeOf(data, field)
	return nil, &scenario.InputError{File: path, Line: line, Column: column, Problem: problem}
}

// recordedSeed returns the seed that follows from the campaign's.
func recordedSeed(sc *scenario.Scenario, r *recording.Recording) uint64 {
	n := r.Execution
	if sc.Mode == scenario.Control && sc.Exhaustive() {
		n = 0 // all executions are of the same subject
	}
	return subject.Seed(r.Campaign, sc.Name, n)
}

// placeOf returns the place of the value of a recording's field.
func placeOf(data []byte, field string) (line, column int) {
	for text := range bytes.Lines(data) {
		if line++; bytes.HasPrefix(text, []byte(field)) {
			return line, 1 + len(field)
		}
	}
	return 1, 1
}

// scenarioSubject precedes a scenario's name in a recording.
const scenarioSubject = "scenario "

// describe makes r a recording of the scenario.
func describe(r *recording.Recording, sc *scenario.Scenario) *recording.Recording {
	r.Subject, r.Setup = scenarioSubject+sc.Name, scenario.EncodeOne(sc)
	if sc.Mode == scenario.Control {
		r.Strategy = sc.StrategyName()
	}
	return r
}

// NativeRecording returns the recording of an execution that has no schedule.
func NativeRecording(sc *scenario.Scenario, campaignSeed uint64, r *outcome.Result) *recording.Recording {
	rec := &recording.Recording{
		Kind: recording.Native, Build: recording.ThisBuild(), Campaign: campaignSeed, Seed: r.Seed, Execution: r.Execution,
		MaxProcs: nativeProcs(), Verdict: r.Verdict, Summary: r.Summary, Explanation: r.Explanation,
		State: r.State, Events: r.Events, Goroutines: r.Goroutines,
	}
	for _, f := range r.Faults {
		rec.Faults = append(rec.Faults, recording.FaultCount{At: f.At, Kind: f.Kind, Hits: f.Hits, Fires: f.Fires, Expired: f.Expired})
	}
	return describe(rec, sc)
}

// WriteNew writes the text of a recording under the first name among name.rouse, name-2.rouse
// and so on that does not exist, and returns the path.
func WriteNew(name, text string) (path string, err error) {
	if path, err = atomicfile.WriteNumbered(name, outcome.RecordingEnding, []byte(text)); err != nil {
		return "", fmt.Errorf("cannot write a recording: %w", err)
	}
	return path, nil
}

// RecordingName returns the file name without its ending. Scenario names are lower-case words
// joined by hyphens, so they never lead to another folder.
func RecordingName(sc *scenario.Scenario, campaignSeed uint64, r *outcome.Result) string {
	name := sc.Name
	if sc.Variant != "" {
		name += "-" + sc.Variant
	}
	return fmt.Sprintf("%s-%016x-%d", name, campaignSeed, r.Execution)
}

// ShrunkName returns the name of the shrunk recording of a file, without its ending.
func ShrunkName(file string) string {
	return filepath.Clean(strings.TrimSuffix(file, outcome.RecordingEnding)) + ".min"
}

// ControlName returns the name of the recording that a search under control has found for a native one,
// without its ending.
func ControlName(file string) string {
	return filepath.Clean(strings.TrimSuffix(file, outcome.RecordingEnding)) + ".control"
}

// IsOfRecording reports whether a file has the name of a recording or of a sidecar.
func IsOfRecording(path string) bool {
	for _, ending := range []string{outcome.RecordingEnding, outcome.GoroutinesEnding, outcome.EventsEnding, outcome.TraceEnding} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

// WriteSidecars writes the files that accompany the recording of an execution. Each appears complete or
// not at all.
func WriteSidecars(recording string, r *outcome.Result, trace []byte) error {
	if r.Goroutines == "" { // it has ended
		return nil
	}
	for _, f := range []struct {
		ending string
		text   []byte
	}{
		{outcome.GoroutinesEnding, []byte(r.Goroutines)}, {outcome.EventsEnding, []byte(r.Events)}, {outcome.TraceEnding, trace},
	} {
		if len(f.text) == 0 {
			continue
		}
		if err := atomicfile.Write(strings.TrimSuffix(recording, outcome.RecordingEnding)+f.ending, f.text); err != nil {
			return fmt.Errorf("cannot write a file that accompanies a recording: %w", err)
		}
	}
	return nil
}

// Sidecars lists the files that accompany a recording.
func Sidecars(recording string) (files []string) {
	stem, ok := strings.CutSuffix(recording, outcome.RecordingEnding)
	if !ok {
		return nil
	}
	for _, ending := range []string{outcome.GoroutinesEnding, outcome.EventsEnding, outcome.TraceEnding} {
		if info, err := os.Stat(stem + ending); err == nil && info.Mode().IsRegular() {
			files = append(files, filepath.FromSlash(stem+ending))
		}
	}
	return files
}
