package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// An against is the execution that --against names: as written, and for explore.Search.Passing. Both are "" without
// the flag.
type against struct{ name, text string }

// readAgainst reads the flag --against for a recording to explain.
func (m *program) readAgainst(c *cobra.Command, rec *run.Recording, name string) (*against, error) {
	if !c.Flags().Changed("against") {
		return &against{}, nil
	}
	switch {
	case !rec.Kind.Scheduled():
		return nil, Usage("--against %s: %s is a native recording, whose operations are not known", name, rec.File)
	case rec.Origin() == recording.OfExploration:
		return nil, Usage("--against %s: %s is a recording of chaos.Explore, want one of stress test or of a scenario", name, rec.File)
	case rec.Verdict == verdict.DataRace || rec.Verdict == verdict.ReliesOnSC:
		return nil, Usage("--against %s: %s is a recording of a %s, which no order of operations decides", name, rec.File, rec.Verdict)
	}
	if _, _, ok := explore.ParseExecution(name); ok {
		return &against{name, name}, nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, Usage("--against %s: there is no such recording; want one, or SEED:EXECUTION", name)
	}
	passing, err := m.readRecorded(c, name)
	if err != nil {
		return nil, err
	}
	switch {
	case !passing.Kind.Scheduled():
		return nil, Usage("--against %s: it is a native recording, whose operations are not known", name)
	case passing.Kind != rec.Kind || passing.Subject != rec.Subject:
		return nil, Usage("--against %s: it is a recording of %s, want one of %s, as %s is", name, nearest.Clip(passing.Subject), nearest.Clip(rec.Subject), rec.File)
	case passing.Setup != rec.Setup:
		return nil, Usage("--against %s: it is a recording of another setup of %s", name, nearest.Clip(rec.Subject))
	}
	return &against{name, passing.String()}, nil
}

// failed returns the error of a repetition, with its exit code.
func (a *against) failed(err error) error {
	var refused *explore.AgainstError
	if errors.As(err, &refused) {
		return Usage("--against %s: %w", a.name, err)
	}
	return failedTests(err)
}
