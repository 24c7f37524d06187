package stress

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// ReadRecording reads a recording from a file. A file that is torn, was edited
// or is something else is refused with an *InputError; in a binary built without
// the chaos tag it returns ErrNotChaos. The subjects are as for Load.
func ReadRecording(path string, subjects ...Subject) (*Recording, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	data, err := readInput(path, maxInput)
	if err != nil {
		return nil, err
	}
	return decodeRecording(path, data, cat)
}

func decodeRecording(file string, data []byte, cat *catalogue) (*Recording, error) {
	if err := checkFrame(file, data); err != nil {
		return nil, err
	}
	var r Recording
	text := cutDumps(data, &r.Result)
	l, root, err := newLoader(yamltree.Source{File: file, Text: text}, cat)
	if err != nil {
		return nil, err
	}
	l.recording(root, &r)
	if err := l.failure(); err != nil {
		return nil, err
	}
	return &r, nil
}

// checkFrame checks the first line and the last, so that what is between them is
// known to be what was written.
func checkFrame(file string, data []byte) error {
	refuse := func(line int, format string, args ...any) error {
		e := &InputError{File: file, Line: line, Column: 1, Problem: fmt.Sprintf(format, args...)}
		if line == 0 {
			e.Column = 0
		}
		return e
	}
	if len(data) == 0 {
		return refuse(0, "the file is empty")
	}
	if lines := bytes.Count(data, []byte("\n")); lines > maxRecordingLines {
		return refuse(maxRecordingLines+1, "found %d lines, want at most %d", lines, maxRecordingLines)
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	version, ok := strings.CutPrefix(string(first), recordingTitle)
	if !ok {
		return refuse(1, "not a recording: the first line is %q, want \"%s%d\"", nearest.Clip(string(first)), recordingTitle, RecordingVersion)
	}
	if strings.HasSuffix(version, "\r") {
		return refuse(1, "found lines that end in CR LF, want the recording as it was written: its lines end in LF")
	}
	if version != fmt.Sprint(RecordingVersion) {
		return refuse(1, "a recording of version %q, want %d: the version that this program reads", nearest.Clip(version), RecordingVersion)
	}
	at := bytes.LastIndex(data, []byte("\n"+recordingEnd)) + 1
	line := bytes.Count(data[:at], []byte("\n")) + 1
	switch {
	case at == 0:
		return refuse(0, "a torn recording: the last line is not \"%s...\"", recordingEnd)
	case string(data[at:]) == endLine(string(data[:at])):
		return nil
	case !bytes.HasSuffix(data, []byte("\n")) || len(data)-at < len(endLine("")):
		return refuse(line, "a torn recording: the last line is not complete")
	case len(data)-at > len(endLine("")):
		return refuse(line+1, "found more text after the last line of the recording")
	}
	return refuse(line, "a torn or edited recording: its checksum is not that of its text")
}

// cutDumps takes the blocks of text out of a recording and returns the rest as
// YAML, every line where it was.
func cutDumps(data []byte, r *Result) []byte {
	lines := strings.Split(string(data), "\n")
	lines[0] = "" // the title
	lines[len(lines)-2] = ""
	for _, d := range r.dumps() {
		at := slices.Index(lines, d.key+": |2-")
		if at < 0 {
			continue
		}
		lines[at] = d.key + `: ""`
		var block []string
		for i := at + 1; i < len(lines)-2; i++ {
			text, ok := strings.CutPrefix(lines[i], blockIndent)
			if !ok && lines[i] != "" {
				break
			}
			block = append(block, text)
			lines[i] = ""
		}
		*d.text = strings.TrimRight(strings.Join(block, "\n"), "\n")
	}
	return []byte(strings.Join(lines, "\n"))
}

func (l *loader) recording(root yamltree.Node, r *Recording) {
	ignore := func(yamltree.Node) {} // cutDumps has them
	reads := []fieldReader{
		{"scenarios", func(n yamltree.Node) {
			if s := l.scenarios(n); len(s) == 1 {
				r.Scenario = s[0]
			} else {
				l.Fail(n, "scenarios: found %d, want the one that was recorded", len(s))
			}
		}},
		{"execution", func(n yamltree.Node) { l.execution(n, r) }},
		{"build", func(n yamltree.Node) { l.build(n, &r.Build) }},
		{"verdict", func(n yamltree.Node) {
			if r.Result.Verdict = l.verdict(n, "verdict"); r.Result.Verdict == Pass {
				l.Fail(n, "verdict: found pass, want what the execution was convicted of")
			}
		}},
		{"summary", func(n yamltree.Node) { r.Result.Summary = l.Text(n, "summary") }},
		{"explanation", func(n yamltree.Node) {
			for _, e := range l.Elements(n, "explanation") {
				r.Result.Explanation = append(r.Result.Explanation, l.Text(e, "explanation"))
			}
		}},
		{"faults", func(n yamltree.Node) {
			for _, e := range l.Elements(n, "faults") {
				r.Result.Faults = append(r.Result.Faults, l.faultCount(e))
			}
		}},
		{"state", ignore}, {"events", ignore}, {"goroutines", ignore},
	}
	f := l.fields(root, "the recording", reads)
	f.Need(keysOf(reads)...)
	l.each(f, reads)
	if want := r.Scenario.Pool.sizeOf(r.Result.Execution); l.Err == nil && r.Result.Workers != want {
		l.Fail(f.Value("execution"), "execution: found %s, want %d: the pool size of execution %d of the scenario",
			plural(r.Result.Workers, "worker"), want, r.Result.Execution)
	}
	if want := executionSeed(r.CampaignSeed, r.Scenario.Name, r.Result.Execution); l.Err == nil && r.Result.Seed != want {
		l.Fail(f.Value("execution"), "execution: found the seed %#x, want %#x: the one that follows from campaign, scenario and number", r.Result.Seed, want)
	}
}

func (l *loader) execution(n yamltree.Node, r *Recording) {
	reads := []fieldReader{
		{"campaign-seed", func(n yamltree.Node) { r.CampaignSeed = l.Unsigned(n, "campaign-seed") }},
		{"number", func(n yamltree.Node) { r.Result.Execution = int(l.Number(n, "number", 0, math.MaxInt)) }},
		{"seed", func(n yamltree.Node) { r.Result.Seed = l.Unsigned(n, "seed") }},
		{"workers", func(n yamltree.Node) { r.Result.Workers = int(l.Number(n, "workers", 0, math.MaxInt32)) }},
	}
	f := l.fields(n, "execution", reads)
	f.Need(keysOf(reads)...)
	l.each(f, reads)
}

func (l *loader) build(n yamltree.Node, b *Build) {
	reads := []fieldReader{
		{"version", func(n yamltree.Node) { b.Version = l.Text(n, "version") }},
		{"go", func(n yamltree.Node) { b.Go = l.Text(n, "go") }},
		{"os", func(n yamltree.Node) { b.OS = l.Text(n, "os") }},
		{"arch", func(n yamltree.Node) { b.Arch = l.Text(n, "arch") }},
		{"maxprocs", func(n yamltree.Node) { b.MaxProcs = int(l.Number(n, "maxprocs", 1, 1<<16)) }},
		{"race", func(n yamltree.Node) { b.Race = l.Bool(n, "race") }},
	}
	f := l.fields(n, "build", reads)
	f.Need(keysOf(reads)...)
	l.each(f, reads)
}

func (l *loader) faultCount(n yamltree.Node) (c FaultCount) {
	reads := []fieldReader{
		{"at", func(n yamltree.Node) { c.At = l.Text(n, "at") }},
		{"fault", func(yamltree.Node) {}}, // below
		{"hits", func(n yamltree.Node) { c.Hits = l.Unsigned(n, "hits") }},
		{"fires", func(n yamltree.Node) { c.Fires = l.Unsigned(n, "fires") }},
		{"expired", func(n yamltree.Node) { c.Expired = l.Unsigned(n, "expired") }}, // where it is not 0
	}
	f := l.fields(n, "a fault count", reads)
	f.Need("at", "fault", "hits", "fires")
	l.each(f, reads)
	if v, ok := f.Get("fault"); ok {
		c.Kind = plan.ReadKind(v).String()
	}
	return c
}
