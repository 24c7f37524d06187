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

// run runs the program in-process.
func run(ctx context.Context, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = command.Run(ctx, newRoot(), args, &o, &e)
	return code, o.String(), e.String()
}

// Catches: bad input that is accepted, is answered by another exit code, or with an
// error that does not say what would be right; a measurement that begins all the same.
func TestUsage(t *testing.T) {
	unmarked := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(unmarked, []byte("# Title\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	usage := commandtest.Run(func(args ...string) (code int, out, errs string) { return run(t.Context(), args...) })
	for want, args := range map[string][]string{
		"no command; want one of":                       nil,
		`unknown command "tble"; did you mean "table"?`: {"tble"},
		`did you mean "--rounds"?`:                      {"table", "--round", "3"},
		"takes flags only, and has got \"fib\"":         {"table", "fib"},
		"--rounds 0: want 1 at least":                   {"table", "--rounds", "0"},
		`--only srt: there is none; did you mean "sort`: {"table", "--only", "srt"},
		`--without ryon: there is none; did you mean "`: {"table", "--without", "ryon"},
		"--out: ":                               {"table", "--out", filepath.Join(unmarked, "below")},
		"--into: open ":                         {"table", "--into", filepath.Join(unmarked, "below")},
		`want the lines "<!-- peers table -->"`: {"table", "--into", unmarked},
	} {
		usage.Refused(t, want, args)
	}
}

// Catches: a file that is missing or half written, a row that was not asked for, a document that
// loses what is around the tables; tables that differ between the places.
func TestTable(t *testing.T) {
	dir := t.TempDir()
	readme := filepath.Join(dir, "README.md")
	if err := os.WriteFile(readme, []byte("before\n"+beginVerdicts+"old\n"+endVerdicts+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	code, printed, errs := run(t.Context(), "table", "--quick", "--rounds", "1", "--without", "rayon,tbb", "--only", "increment-all-atomized,sort", "--out", out, "--into", readme)
	if code != 0 || strings.Count(printed, "\n### ") != 2 || !strings.Contains(printed, "Without rayon: left out") || !strings.Contains(printed, "? rayon: not here") {
		t.Fatalf("exit code %d\n%s%s", code, printed, errs)
	}
	if got, want := commandtest.Names(t, out), []string{"peers.jsonl", "peers.md", "peers.txt"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if tables, err := os.ReadFile(filepath.Join(out, "peers.md")); err != nil || string(tables) != printed {
		t.Errorf("peers.md is not what was printed, %v", err)
	}
	verdicts, _, _ := strings.Cut(strings.TrimPrefix(printed, "# rouse and its peers\n\n"), "\n### ")
	if document, err := os.ReadFile(readme); err != nil || string(document) != "before\n"+beginVerdicts+"\n"+verdicts+"\n"+endVerdicts+"after\n" {
		t.Errorf("README.md, %v:\n%s", err, document)
	}
	lines, err := os.ReadFile(filepath.Join(out, "peers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(lines) {
		var record struct {
			Schema int    `json:"schema"`
			Kind   string `json:"kind"`
		}
		if err := json.Unmarshal(line, &record); err != nil || record.Schema != 1 || record.Kind == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// Catches: a row that is lost or measured again with --keep, old figures where there are new ones,
// a broken file that is replaced.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	args := []string{"table", "--quick", "--without", "rayon,tbb", "--out", dir, "--keep", "--only"}
	for _, only := range []string{"increment-all,increment-all-atomized", "increment-all", "join-recursively"} {
		more := []string{"--rounds", "2"}
		if only == "increment-all" {
			more = []string{"--rounds", "1"}
		}
		if code, _, errs := run(t.Context(), append(append(args, only), more...)...); code != 0 {
			t.Fatalf("exit code %d\n%s", code, errs)
		}
	}
	turns, err := os.ReadFile(filepath.Join(dir, "peers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range map[string]int{"join-recursively": 4, "increment-all": 1, "increment-all-atomized": 2} {
		if n := strings.Count(string(turns), "/row="+row+"/who=rouse"); n != want {
			t.Errorf("%s: %d turns of rouse, want %d\n%s", row, n, want, turns)
		}
	}
	tables, err := os.ReadFile(filepath.Join(dir, "peers.md"))
	if err != nil || strings.Count(string(tables), "\n### ") != 3 || !strings.Contains(string(tables), "Medians of 1 to 2 rounds") {
		t.Errorf("%v\n%s", err, tables)
	}
	lines := filepath.Join(dir, "peers.jsonl")
	if err := os.WriteFile(lines, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := run(t.Context(), append(args, "increment-all")...)
	if left, err := os.ReadFile(lines); code != command.ExitTool || !strings.Contains(errs, "line 1: ") || string(left) != "{" {
		t.Errorf("exit code %d, left %q, %v\n%s", code, left, err, errs)
	}
}

// Catches: a curve without its picture, or one that was not asked for; points that --longest should
// have left out.
func TestCurves(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := run(t.Context(), "curves", "--only", "depth", "--rounds", "1", "--longest", "1ns", "--out", dir)
	if code != 0 || !strings.Contains(out, "## depth") || strings.Contains(out, "## jobs") || !strings.Contains(out, "| 30                         |                  - |") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	for _, name := range []string{"curves.md", "curves.jsonl", "curve-depth.svg"} {
		if content, err := os.ReadFile(filepath.Join(dir, name)); err != nil || len(content) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Catches: a child that ends before it has answered, or is listed among the commands.
func TestChild(t *testing.T) {
	root := newRoot()
	root.SetIn(strings.NewReader("idle -1 1 1\nfob\n"))
	var out, errs bytes.Buffer
	if code := command.Run(t.Context(), root, []string{"child"}, &out, &errs); code != 0 || !strings.HasPrefix(out.String(), "ok 1 ") || !strings.Contains(out.String(), "error no row \"fob\"") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

// Catches: an interruption that is taken for success or for trouble, or leaves tables of
// what was not measured.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(command.Signalled{Signal: syscall.SIGTERM})
	for _, args := range [][]string{{"table", "--quick", "--without", "rayon,tbb"}, {"curves"}} {
		dir := t.TempDir()
		code, out, errs := run(ctx, append(args, "--out", dir)...)
		if code != 143 || out != "" {
			t.Errorf("%q: exit code %d, want 143\n%s%s", args, code, out, errs)
		}
		if left := commandtest.Names(t, dir); len(left) > 0 {
			t.Errorf("%q has left %q", args, left)
		}
	}
}
