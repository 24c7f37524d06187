package stress

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// A Schedule is the recording of an execution under control: of a test that called
// chaos.Explore, or of a controlled scenario. What native scenarios leave is read by
// ReadRecording.
type Schedule = recording.Recording

// ReadSchedule reads the file if it is a Schedule, and returns nil if it is
// something else. The scenario is nil if it is of a test. Errors are *InputErrors, or
// what recording.Read returns. The subjects are as for Load.
func ReadSchedule(path string, subjects ...Subject) (*Schedule, *Scenario, error) {
	data, err := readInput(path, maxInput)
	if err != nil {
		return nil, nil, err
	}
	if !recording.Is(data) {
		return nil, nil, nil
	}
	s, err := recording.Parse(path, string(data))
	if err != nil {
		return nil, nil, err
	}
	if s.Setup == "" {
		if _, _, err := s.Test(); err != nil {
			line, column := placeOf(data, "subject: ")
			return nil, nil, &InputError{File: path, Line: line, Column: column, Problem: err.Error()}
		}
		return s, nil, nil
	}
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, nil, err
	}
	sc, err := scenarioOf(path, data, s, cat)
	return s, sc, err
}

// scenarioOf reads the scenario in a recording with that text.
func scenarioOf(path string, data []byte, s *Schedule, cat *catalogue) (*Scenario, error) {
	line, column := placeOf(data, "setup: ")
	// Errors are where the setup stands in the file; it is one line.
	text := yamltree.Source{File: path, Text: []byte(s.Setup), Place: func(_, col int) (int, int) { return line, column + col - 1 }}
	l, root, err := newLoader(text, cat)
	if err != nil {
		return nil, err
	}
	sc, _ := l.scenario(root)
	if l.Err == nil && sc.Mode != Control {
		l.Fail(root, "found a %s scenario, want one with mode: control", sc.Mode)
	}
	if want := scenarioSubject + sc.Name; l.Err == nil && s.Subject != want {
		l.Fail(root, "found the scenario %q in a recording of %q, want them to agree", sc.Name, nearest.Clip(s.Subject))
	}
	if err := l.failure(); err != nil {
		return nil, err
	}
	return &sc, nil
}

// placeOf is where the value of that field of a recording stands.
func placeOf(data []byte, field string) (line, column int) {
	for text := range bytes.Lines(data) {
		if line++; bytes.HasPrefix(text, []byte(field)) {
			return line, 1 + len(field)
		}
	}
	return 1, 1
}

// GoTest is the command that repeats the schedule in that file, of a test. Errors are those of
// Schedule.Command.
func GoTest(s *Schedule, path string) (string, error) {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute // a test runs in the folder of its package
	}
	return s.Command(path)
}

// A ScheduleReport says what became of the tries to repeat an execution under control.
type ScheduleReport struct {
	Schedule *Schedule
	Tries    []Try
}

// Same counts the tries that were the recorded execution again.
func (r *ScheduleReport) Same() (n int) {
	for _, t := range r.Tries {
		if t.Same(r.Schedule) {
			n++
		}
	}
	return n
}

// Reproduced counts the tries that failed as recorded: those that are the Same, and those
// that came there by another trace.
func (r *ScheduleReport) Reproduced() (n int) {
	for _, t := range r.Tries {
		if likeness, _ := t.Compare(r.Schedule); likeness != recording.NotReproduced {
			n++
		}
	}
	return n
}

// String says how many tries failed as recorded.
func (r *ScheduleReport) String() string {
	same, n := r.Same(), r.Reproduced()
	s := fmt.Sprintf("%d of %d tries reproduced %s, with equal trace hash %016x", same, len(r.Tries), r.Schedule.Verdict, r.Schedule.Hash)
	if n > same {
		s += fmt.Sprintf("; %d failed as recorded, by another trace", n-same)
	}
	return s
}

// ReplaySchedule repeats the recorded execution of a controlled scenario, in a child
// process, and calls each, if it is not nil, after every try.
//
// The program must call ChildMain first thing in main. If ctx is done, it returns what
// was tried until then and context.Cause(ctx).
func ReplaySchedule(ctx context.Context, sc *Scenario, s *Schedule, times int, each func(Try)) (ScheduleReport, error) {
	report := ScheduleReport{Schedule: s}
	err := repeatInChild(ctx, sc, repeatRequest{Schedule: s.String(), Times: times}, func(m *message) {
		if m.Try != nil {
			report.Tries = append(report.Tries, *m.Try)
			if each != nil {
				each(*m.Try)
			}
		}
	})
	return report, err
}

// An Explanation is the execution that a recording leads to, for people.
type Explanation struct {
	Result   Result    // its Events are a table with a column for each task
	Schedule *Schedule // with comments that say where each decision was made
	// Gone says of the entries that did not apply any more what is missing.
	Gone []string
}

// ExplainSchedule repeats the recorded execution of a controlled scenario and tells its
// story. It needs what ReplaySchedule needs.
func ExplainSchedule(ctx context.Context, sc *Scenario, s *Schedule) (*Explanation, error) {
	var x *Explanation
	err := repeatInChild(ctx, sc, repeatRequest{Schedule: s.String(), Explain: true}, func(m *message) {
		if m.Explained != nil {
			x = &Explanation{m.Explained.Result, mustParse(m.Explained.Schedule), m.Explained.Gone}
		}
	})
	return x, err
}

// ShrunkName is where the shrunk recording of that file goes.
func ShrunkName(path string) string { return strings.TrimSuffix(path, ".rouse") + ".min.rouse" }

// shrinkAttempts bounds the executions that shrinking takes.
const shrinkAttempts = 5000

// ShrinkSchedule looks for a shorter schedule that leads the controlled scenario to the
// same verdict at the same site, and returns it with the number of executions that
// took. It returns nil if the recorded execution does not fail as recorded. It needs
// what ReplaySchedule needs.
func ShrinkSchedule(ctx context.Context, sc *Scenario, s *Schedule) (shorter *Schedule, attempts int, err error) {
	err = repeatInChild(ctx, sc, repeatRequest{Schedule: s.String(), Attempts: shrinkAttempts}, func(m *message) {
		if m.Shrunk != nil {
			attempts = m.Shrunk.Attempts
			if m.Shrunk.Schedule != "" {
				shorter = mustParse(m.Shrunk.Schedule)
			}
		}
	})
	return shorter, attempts, err
}

// repeatInChild has a child do what is asked for.
func repeatInChild(ctx context.Context, sc *Scenario, r repeatRequest, hear func(*message)) error {
	if os.Getenv(childEnv) != "" {
		return errNoChildMain
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	l := launcher{maxProcs: 1}
	end, err := l.run(ctx, request{Scenario: *sc, Repeat: &r}, func(m *message) error { hear(m); return nil }, func() {})
	if err != nil || end.done {
		return err
	}
	crash, err := end.judge(l.childTimeout())
	if err != nil {
		return err
	}
	return fmt.Errorf("the execution took its process with it: %s: %s", crash.Verdict, crash.Summary)
}
