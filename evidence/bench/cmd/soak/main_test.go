package main

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/soak"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/rouse-go/rouse/internal/command/commandtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// soaked runs the program in-process.
func soaked(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = command.Run(context.Background(), newRoot(), args, &o, &e)
	return code, o.String(), e.String()
}

// Catches: bad input that is accepted, or an error that does not say what would be right.
func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"--jobs 0: want 1 at least":                 {"--jobs", "0"},
		"--workers 0: want 1 to 1024":               {"--workers", "0"},
		"--workers 1025: want 1 to 1024":            {"--workers", "1025"},
		`--kind cros: there is none; did you mean`:  {"--kind", "cros"},
		`--plant lots: there is none; did you mean`: {"--plant", "lots"},
		"--plant lost: want a kind of joins":        {"--plant", "lost", "--kind", "go"},
		"--every 0s: want more than 0":              {"--every", "0s"},
		"--patience -1s: want more than 0":          {"--patience", "-1s"},
		"--memory 0: want 1 at least":               {"--memory", "0"},
		"--for -1s: want":                           {"--for", "-1s"},
		"unknown flag --job":                        {"--job", "1"},
		`soak takes flags only, and has got "run"`:  {"run"},
	} {
		commandtest.Run(soaked).Refused(t, want, args)
	}
}

// Catches: a kind that the help does not explain.
func TestHelpHasEveryKind(t *testing.T) {
	code, out, _ := soaked("--help")
	for _, k := range soak.Kinds() {
		if !strings.Contains(out, k.Name+" ") || !strings.Contains(out, k.What) {
			t.Errorf("--help does not explain %s", k.Name)
		}
	}
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Catches: an outcome with another exit code, or without its table.
func TestExitCodes(t *testing.T) {
	args := []string{"--jobs", "20000", "--seed", "5"}
	code, out, errs := soaked(args...)
	if code != 0 || !strings.Contains(out, "20000 jobs, seed 0x5, ") || !strings.Contains(out, "nothing lost, run twice, wrong or leaked") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	code, out, errs = soaked(append(args, "--plant", "twice")...)
	if code != command.ExitFound || !strings.Contains(out, "\nrun twice: ") || !strings.Contains(errs, "soak: 1 defects") {
		t.Errorf("a planted defect: exit code %d, want %d\n%s%s", code, command.ExitFound, out, errs)
	}
	var e bytes.Buffer
	if code := command.Run(context.Background(), newRoot(), args, commandtest.Full{}, &e); code != command.ExitTool || !strings.Contains(e.String(), syscall.ENOSPC.Error()) {
		t.Errorf("a full disk: exit code %d, want %d\n%s", code, command.ExitTool, &e)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(command.Signalled{Signal: syscall.SIGTERM})
	var o bytes.Buffer
	if code := command.Run(ctx, newRoot(), args, &o, &e); code != 143 || !strings.Contains(o.String(), "\n0 jobs in ") {
		t.Errorf("interrupted: exit code %d, want 143\n%s", code, &o)
	}
}

// Catches: a limit of time that is no end.
func TestFor(t *testing.T) {
	code, out, errs := soaked("--for", "10ms", "--kind", "join-fn,go", "--jobs", "2000000000")
	if code != 0 || strings.Contains(out, "\n2000000000 jobs in") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
