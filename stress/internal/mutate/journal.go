package mutate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/private"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// journalName is the name of the journal in the folder of --out.
const journalName = "mutants.jsonl"

// A journal keeps the results of trials and of tests without a mutant, one JSON object a line, so that the
// same run can continue where it was stopped. A nil journal keeps nothing.
type journal struct {
	mu        sync.Mutex
	file      *os.File
	kept      map[key]line
	unmutated map[unmutatedKey]unmutated
}

// A key holds everything that the result of a trial depends on.
type key struct {
	Package string `json:"package"`
	ID      string `json:"id"`
	File    string `json:"file"`  // hash of the unmutated file
	Tests   string `json:"tests"` // hash of the package's test files
	Way     string `json:"way"`
	Setting string `json:"setting"`
}

// A head is the first line of a journal.
type head struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"`
}

// thisHead is the head that this version writes.
var thisHead = head{report.SchemaVersion, "journal of stress mutate"}

// A line is the result of a trial.
type line struct {
	Key        key                 `json:"key"`
	Outcome    report.TrialOutcome `json:"outcome,omitempty"`
	By         string              `json:"by,omitempty"`
	What       string              `json:"what,omitempty"`
	Tests      int                 `json:"tests,omitempty"`
	Planned    int                 `json:"planned,omitempty"` // executions
	Of         int                 `json:"planned_tests,omitempty"`
	Seconds    float64             `json:"seconds,omitempty"`
	Executions int                 `json:"executions,omitempty"`
	Invalid    string              `json:"invalid,omitempty"`    // the compiler's message
	Equivalent bool                `json:"equivalent,omitempty"` // for the way "listing"
}

func lineOf(k key, t report.Trial) line {
	return line{
		Key: k, Outcome: t.Outcome, By: t.By, What: t.What, Tests: t.Tests, Of: t.PlannedTests, Seconds: t.Duration.Seconds(), Executions: t.Executions, Planned: t.Planned,
	}
}

// trial returns the kept result.
func (l *line) trial() report.Trial {
	return report.Trial{
		Way: l.Key.Way, Outcome: l.Outcome, By: l.By, What: l.What, Tests: l.Tests, PlannedTests: l.Of,
		Duration: time.Duration(l.Seconds * float64(time.Second)), Resumed: true, Executions: l.Executions, Planned: l.Planned,
	}
}

// key returns the key of a mutant tested in a way.
func (s *session) key(m *mutant, way string) key {
	return key{m.pkg.PkgPath, m.report.ID, m.hash, m.pkg.hash, way, s.setting(way)}
}

// setting returns the user's settings that a way depends on.
func (s *session) setting(way string) string {
	setting := fmt.Sprintf("%s %q %v %v", s.env.GOVERSION, s.env.GOFLAGS, s.Build.Flags(), s.Build.Short)
	switch way {
	case stepList:
		setting += fmt.Sprintf(" run %q", s.Options.Run)
	case Plain, Race:
		setting += fmt.Sprintf(" budget %v, all of it, count %d run %q", s.Budget, s.Count, s.Options.Run)
	case Stress, StressRace:
		setting += fmt.Sprintf(" budget %v executions %d seed %d run %q leaks", s.Budget, s.Executions, s.Seed, s.Options.Run)
	case Command:
		setting += fmt.Sprintf(" budget %v command %q", s.Budget, s.Options.Command)
	}
	return setting
}

// openJournal opens the journal of a folder, or begins one. No other run may use it.
func openJournal(dir string) (*journal, error) {
	if dir == "" {
		return nil, nil
	}
	if _, err := atomicfile.MkdirAll(dir); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, journalName)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, refused("--out: %s: want a regular file, or none", name)
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, kept: map[key]line{}, unmutated: map[unmutatedKey]unmutated{}}
	if err := private.Lock(file); errors.Is(err, private.ErrHeld) {
		file.Close()
		return nil, refused("--out %s: another run uses it", dir)
	}
	if err = j.read(); err != nil {
		file.Close()
		return nil, refused("--out: %s: %v", name, err)
	}
	return j, nil
}

// read reads the results of earlier runs. It drops a last line without an end: a run was killed while writing it.
func (j *journal) read() error {
	text, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) < len(text) {
		if len(whole) == 0 && !bytes.HasPrefix([]byte(`{"schema"`), text[:min(len(text), 9)]) {
			return errors.New("found no journal of stress mutate, want one, or no file")
		}
		if err := j.file.Truncate(int64(len(whole))); err != nil {
			return err
		}
	}
	if len(whole) == 0 {
		return j.write(thisHead)
	}
	return j.parse(whole)
}

// parse adds the results in the text of a journal.
func (j *journal) parse(whole []byte) error {
	first, rest, _ := bytes.Cut(whole, []byte("\n"))
	var h head
	if json.Unmarshal(first, &h) != nil || h.Kind != thisHead.Kind {
		return errors.New("found no journal of stress mutate, want one, or no file")
	}
	if h.Schema != thisHead.Schema {
		return fmt.Errorf("it has schema %d, want %d: another version has written it", h.Schema, thisHead.Schema)
	}
	number := 1
	for text := range bytes.Lines(rest) {
		number++
		var l line
		var u unmutated
		switch err := errors.Join(json.Unmarshal(text, &l), json.Unmarshal(text, &u)); {
		case err == nil && l.Key.ID != "":
			j.kept[l.Key] = l
		case err == nil && u.Key.Step != "":
			j.unmutated[u.Key] = u
		default:
			return fmt.Errorf("line %d: found no result", number)
		}
	}
	return nil
}

// find returns a result that was kept.
func (j *journal) find(k key) (l line, ok bool) {
	if j == nil {
		return l, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	l, ok = j.kept[k]
	return l, ok
}

// add keeps a result, except an error: the next run tries such a trial again.
func (j *journal) add(l line) error {
	if j == nil || l.Outcome == report.TrialError {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.write(l)
}

// passed returns a kept result of something that passes without a mutant.
func (j *journal) passed(k unmutatedKey) (u unmutated, ok bool) {
	if j == nil {
		return u, false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	u, ok = j.unmutated[k]
	return u, ok
}

// passes keeps the result of something that passes without a mutant.
func (j *journal) passes(u unmutated) error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.write(u)
}

func (j *journal) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

func (j *journal) close() {
	if j != nil {
		j.file.Close()
	}
}
