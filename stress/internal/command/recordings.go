package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// recordingArg completes the argument of the commands that read a recording.
var recordingArg = firstArg(filesWith(strings.TrimPrefix(outcome.RecordingEnding, ".")))

// readRecorded reads the recording that an argument names.
func (m *program) readRecorded(c *cobra.Command, arg string) (*run.Recording, error) {
	file, err := fileArg(c, arg)
	if err != nil {
		return nil, err
	}
	rec, err := run.ReadRecording(file, m.subjects...)
	if err != nil {
		return nil, Usage("%w", err)
	}
	return rec, nil
}

// ofATest prints the command that repeats the recording of a test.
func (p *printer) ofATest(rec *run.Recording) {
	again, err := rec.GoTest()
	if err != nil {
		panic(err) // ReadRecording has checked it
	}
	p.line("recorded by a test as %s: %s", rec.Verdict, rec.Summary)
	p.line("reproduce: %s", again)
}

// title prints which execution of a scenario was recorded.
func (p *printer) title(rec *run.Recording) {
	by := fmt.Sprintf("by %s", rec.Strategy)
	if rec.Kind == recording.Native {
		by = fmt.Sprintf("of seed %#x", rec.Campaign)
	}
	p.line("scenario %s, execution %d %s", rec.Scenario.Title(), rec.Execution, by)
	p.line("recorded as %s: %s", rec.Verdict, rec.Summary)
}
