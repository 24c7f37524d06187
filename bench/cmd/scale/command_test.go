package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/bench/internal/command"
	"github.com/rouse-go/rouse/bench/internal/command/commandtest"
)

// scaled runs the program in-process.
func scaled(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = command.Run(context.Background(), newRoot(), args, &o, &e)
	return code, o.String(), e.String()
}

// Catches: bad input that is accepted, is answered by another exit code, or with an error that does
// not say what would be right; a simulation that begins all the same.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte("{\"laod_ns\": 1}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`unknown command "mesure"; did you mean "measure"?`:    {"mesure"},
		`unknown flag --weys`:                                  {"--weys", "JEC"},
		`--way jec: there is none; did you mean "JEC"?`:        {"--way", "jec"},
		`--workload frok: there is none; did you mean "fork"?`: {"--workload", "frok"},
		"--workers 0: want 1 to 4096":                          {"--workers", "8,0"},
		"--workers 5000: want 1 to 4096":                       {"--workers", "5000"},
		"--seeds 0: want 1 at least":                           {"--seeds", "0"},
		"--cores 0: want 1 at least":                           {"--cores", "0"},
		bad + `:1:2: there is no cost "laod_ns"; did you mean`: {"--costs", bad},
		"no such file":                {"--costs", filepath.Join(dir, "none.json")},
		"--out: ":                     {"--out", filepath.Join(bad, "below")},
		"--workers 65: want 1 to 64":  {"validate", "--workers", "65"},
		"--rounds 0: want 1 at least": {"validate", "--rounds", "0"},
		`scale measure takes flags only, and has got "more"`: {"measure", "more"},
	} {
		commandtest.Run(scaled).Refused(t, want, args)
	}
	if code, out, _ := scaled("--help"); code != 0 || !strings.Contains(out, "measure") || !strings.Contains(out, "--costs") {
		t.Errorf("--help: exit code %d\n%s", code, out)
	}
}

// Catches: a file that is missing, or half of one that is left; costs that cannot be used again; figures
// that are not those of the costs, or depend on the cores.
func TestFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"--workers", "16,8,8", "--seeds", "1", "--way", "JEC,Tickle", "--out", dir}
	code, out, errs := scaled(args...)
	if code != 0 || strings.Count(out, "\n| 8, JEC ") != 5 || strings.Contains(out, "blocks") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if got, want := commandtest.Names(t, dir), []string{"costs.json", "figures.jsonl", "figures.md", "parallel.svg", "trickle.svg", "words.svg"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if _, again, errs := scaled(append(args, "--costs", filepath.Join(dir, "costs.json"), "--cores", "3")...); again != out {
		t.Errorf("not the same again\n%s%s", again, errs)
	}
	if code, out, _ := scaled("--workers", "8", "--seeds", "2", "--workload", "burst", "--json"); code != 0 || strings.Count(out, `"kind":"scale"`) != 10 {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// Catches: a comparison that is left out.
func TestValidate(t *testing.T) {
	code, out, errs := scaled("validate", "--workers", "2", "--rounds", "1")
	if code != 0 || strings.Count(out, "\n| a root that forks, ") != 4 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Catches: an interruption that is taken for success or for trouble, or leaves files; output that was
// lost and nobody is told.
func TestTrouble(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(command.Signalled{Signal: syscall.SIGTERM})
	for _, args := range [][]string{nil, {"validate"}} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if code := command.Run(ctx, newRoot(), append(args, "--out", dir), &out, &errs); code != 143 || out.Len() > 0 || len(commandtest.Names(t, dir)) > 0 {
			t.Errorf("%q: exit code %d, want 143; files %q\n%s%s", args, code, commandtest.Names(t, dir), &out, &errs)
		}
	}
	var out, errs bytes.Buffer
	if code := command.Run(ctx, newRoot(), []string{"measure"}, &out, &errs); code != 143 || out.Len() > 0 {
		t.Errorf("measure: exit code %d, want 143\n%s%s", code, &out, &errs)
	}
	errs.Reset()
	if code := command.Run(context.Background(), newRoot(), []string{"--workers", "8", "--seeds", "1", "--workload", "burst"}, commandtest.Full{}, &errs); code != command.ExitTool || !strings.Contains(errs.String(), syscall.ENOSPC.Error()) {
		t.Errorf("exit code %d, want %d\n%s", code, command.ExitTool, &errs)
	}
}
