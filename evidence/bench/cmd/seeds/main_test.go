package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/internal/command"
	"github.com/rouse-go/rouse/internal/command/commandtest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seeds runs the program in-process.
func seeds(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = command.Run(context.Background(), newRoot(), args, &o, &e)
	return code, o.String(), e.String()
}

// Catches: bad input that is accepted, is answered by another exit code, or with an
// error that does not say what would be right; a measurement that begins all the same.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"want one of burst, sleep":                        nil,
		`unknown command "brst"; did you mean "burst"?`:   {"brst"},
		`unknown flag --pase`:                             {"burst", "--pase", "1s"},
		`did you mean "--pause"?`:                         {"burst", "--pase", "1s"},
		"takes flags only, and has got \"more\"":          {"burst", "more"},
		"--pause 1ms: want 3ms at least":                  {"burst", "--pause", "1ms"},
		"--iterations 1: want 2 at least":                 {"burst", "--iterations", "1"},
		"--rounds 9: want 1 at least":                     {"burst", "--iterations", "3", "--rounds", "9"},
		"--sender blcks: there is none":                   {"burst", "--sender", "blcks"},
		`--compare round: there is none; did you mean "r`: {"sleep", "--compare", "round"},
		"--workload nop: there is none; did you mean":     {"sleep", "--workload", "nop"},
		"--workers 0: want 1 at least":                    {"sleep", "--workers", "0"},
		"--iterations -1: want 0 at least":                {"sleep", "--iterations", "-1"},
		"--turn 0s: want more than 0s":                    {"sleep", "--turn", "0s"},
		"--out: ":                                         {"sleep", "--out", filepath.Join(taken, "below")},
	} {
		commandtest.Run(seeds).Refused(t, want, args)
	}
	if code, out, _ := seeds("--help"); code != 0 || !strings.Contains(out, "burst") {
		t.Errorf("--help: exit code %d\n%s", code, out)
	}
}

// lines counts the lines of JSON of each kind.
func lines(t *testing.T, text string) map[string]int {
	t.Helper()
	kinds := map[string]int{}
	for line := range strings.Lines(text) {
		var record struct {
			Schema int    `json:"schema"`
			Kind   string `json:"kind"`
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil || record.Schema != 1 {
			t.Fatalf("%q: %v", line, err)
		}
		kinds[record.Kind]++
	}
	return kinds
}

// Catches: a table, a picture or a line of JSON that is missing, and temporary files that
// are left.
func TestBurst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	args := []string{"burst", "--iterations", "2", "--rounds", "1", "--pause", "3ms", "--out", dir}
	code, out, errs := seeds(args...)
	if code != 0 || !strings.Contains(out, "| 5 sent to 3, sender blocks ") || !strings.Contains(out, "With 3 workers, the number of messages has no effect") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if got, want := commandtest.Names(t, dir), []string{"burst-blocks.svg", "burst-computes.svg", "burst.jsonl", "burst.md"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if tables, err := os.ReadFile(filepath.Join(dir, "burst.md")); err != nil || string(tables) != out {
		t.Errorf("burst.md is not what was printed, %v", err)
	}
	code, out, errs = seeds("burst", "--iterations", "2", "--rounds", "1", "--sender", "blocks", "--json")
	if kinds := lines(t, out); code != 0 || kinds["burst"] < 21 || kinds["claim"] < 5 {
		t.Errorf("exit code %d, lines %v\n%s", code, kinds, errs)
	}
}

// Catches: a workload or a comparison that is left out, or one that was not asked for.
func TestSleep(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := seeds("sleep", "--iterations", "1", "--rounds", "2", "--noop-iterations", "1", "--compare", "tickle,swap", "--workload", "noop,join-recursively", "--out", dir)
	if code != 0 || strings.Count(out, "\n### ") != 4 || !strings.Contains(out, "### swap: join-recursively") || !strings.Contains(out, "| +245 % |") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if got, want := commandtest.Names(t, dir), []string{"sleep-swap.jsonl", "sleep-swap.md", "sleep-tickle.jsonl", "sleep-tickle.md"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	code, out, errs = seeds("sleep", "--iterations", "1", "--rounds", "1", "--noop-iterations", "1", "--compare", "rounds", "--workload", "noop", "--json")
	if kinds := lines(t, out); code != 0 || kinds["sleep"] != 11 {
		t.Errorf("exit code %d, lines %v\n%s", code, kinds, errs)
	}
}

// Catches: an interruption that is taken for success or for trouble, or leaves tables of
// what was not measured.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(command.Signalled{Signal: syscall.SIGTERM})
	for _, name := range []string{"burst", "sleep"} {
		dir := t.TempDir()
		var out, errs bytes.Buffer
		if code := command.Run(ctx, newRoot(), []string{name, "--out", dir}, &out, &errs); code != 143 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, want 143\n%s%s", name, code, &out, &errs)
		}
		if left := commandtest.Names(t, dir); len(left) > 0 {
			t.Errorf("%s has left %q", name, left)
		}
	}
}

// Catches: output that was lost and not reported.
func TestTrouble(t *testing.T) {
	var errs bytes.Buffer
	args := []string{"sleep", "--iterations", "1", "--rounds", "1", "--compare", "tickle", "--workload", "join-recursively"}
	if code := command.Run(context.Background(), newRoot(), args, commandtest.Full{}, &errs); code != command.ExitTool || !strings.Contains(errs.String(), syscall.ENOSPC.Error()) {
		t.Errorf("exit code %d, want %d\n%s", code, command.ExitTool, &errs)
	}
}
