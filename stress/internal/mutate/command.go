package mutate

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// commandPasses returns an error if the command fails without a mutant.
func (s *session) commandPasses(ctx context.Context) error {
	key := s.commandKey()
	if _, ok := s.journal.passed(key); ok {
		return nil
	}
	dir, remove, err := s.folder()
	if err != nil {
		return err
	}
	defer remove()
	s.Doing("running the command without a mutant ...")
	e, err := s.runCommand(ctx, dir, "", s.patience().most)
	switch {
	case err != nil:
		return err
	case e.late:
		return refused("the command does not end within %v without a mutant: %s", s.patience().most, s.Options.Command)
	case e.code != 0:
		return refused("the command fails without a mutant (%s): %s\n%s", e.status, s.Options.Command, e.output)
	}
	return s.journal.passes(unmutated{Key: key, Seconds: e.took.Seconds()})
}

// tryCommand runs the user's command with a mutant in GOFLAGS.
func (s *session) tryCommand(ctx context.Context, dir, overlay string) (t report.Trial, err error) {
	tmp := filepath.Join(dir, "tcommand")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		return t, err
	}
	e, err := s.runCommand(ctx, tmp, overlay, s.Budget)
	if err != nil {
		return t, err
	}
	t = report.Trial{Duration: e.took}
	last := e.output[strings.LastIndexByte(e.output, '\n')+1:]
	switch {
	case e.late:
		t.Outcome, t.What = report.TrialTimeout, noEnd
	case e.code == 0:
		t.Outcome = report.TrialSurvived
	case e.code == 1:
		t.Outcome, t.What = report.TrialKilled, clip(cmp.Or(last, e.status))
	default:
		t.Outcome, t.What = report.TrialError, clip(strings.TrimSuffix(e.status+": "+last, ": "))
	}
	return t, nil
}

// runCommand runs the user's command in a shell.
func (s *session) runCommand(ctx context.Context, dir, overlay string, limit time.Duration) (ending, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := process.Command(within, "sh", "-c", s.Options.Command)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "GOTMPDIR="+dir)
	if overlay != "" {
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(s.env.GOFLAGS+" '-overlay="+overlay+"'"))
	}
	return s.end(ctx, within, cmd, 0)
}
