package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Catches: a program under stress debug that waits for ever before the step, in its TestMain, say.
func TestProgramRun(t *testing.T) {
	sh := func(script string) *Program {
		return &Program{Binary: "/bin/sh", Args: []string{"-c", script}, Dir: t.TempDir()}
	}
	if out, err := sh("echo a; echo b >&2; exit 3").Run(t.Context(), time.Hour, 0); out != "a\nb\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	for name, c := range map[string]struct {
		script  string
		timeout time.Duration
		memory  int64
		want    string
	}{
		"spins":  {"echo first; while :; do :; done", 100 * time.Millisecond, 0, "without a debugger: no progress for 100ms"},
		"stops":  {"kill -STOP $$", 100 * time.Millisecond, 0, "without a debugger: no progress for 100ms"},
		"stays":  {"trap '' QUIT; kill -STOP $$; while :; do :; done", 100 * time.Millisecond, 0, "without a debugger: no progress for 100ms"},
		"memory": {"while :; do :; done", time.Hour, 1, "without a debugger: the process used more than "},
	} {
		_, err := sh(c.script).Run(t.Context(), c.timeout, c.memory)
		var input *InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	time.AfterFunc(10*time.Millisecond, func() { cancel(why) })
	if _, err := sh("while :; do :; done").Run(ctx, time.Hour, 0); !errors.Is(err, why) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := (&Program{Binary: "/none"}).Run(t.Context(), time.Hour, 0); err == nil {
		t.Error("no program")
	}
}
