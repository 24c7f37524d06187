package goroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// buildJoin builds the tests of a module that uses chaos.Explore.
func buildJoin(t *testing.T, flags ...string) *testBinary {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "join"))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mod", "edit", "-replace=github.com/rouse-go/rouse=" + root}, {"mod", "tidy"}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return build(t, dir, flags...)
}

// A test that calls chaos.Explore is one execution like any other, and its choices and faults are
// those of the engine that runs it.
func TestJoin(t *testing.T) {
	for tags, tests := range map[string]map[string]struct {
		verdict verdict.Verdict
		says    string // in the report
	}{
		"": {
			"TestPasses": {verdict.Pass, ""},
			"TestDrops":  {verdict.Pass, ""},
			"TestLost":   {verdict.WrongResult, "lost: n is 1"},
		},
		"chaos": {
			"TestPasses":  {verdict.Pass, ""},
			"TestReplays": {verdict.Pass, ""},
			"TestLost":    {verdict.WrongResult, "lost: n is 1"},
			"TestChooses": {verdict.WrongResult, "chose 3 and 2"},
			"TestStuck":   {verdict.LostTask, "in a deadlock"},
			"TestPanics":  {verdict.Panicked, "join_test.go:8"},
			"TestDrops":   {verdict.Deadlock, "drop"},
			"TestTurns":   {verdict.Pass, ""},
			"TestNested":  {verdict.WrongResult, "chaos: Explore: inside an execution"},
			"TestTwice":   {verdict.WrongResult, "dropped"},
		},
	} {
		b := buildJoin(t, "-tags="+tags)
		for name, want := range tests {
			t.Run(tags+name, func(t *testing.T) { testJoin(t, b, name, want.verdict, want.says) })
		}
	}
}

func testJoin(t *testing.T, b *testBinary, name string, want verdict.Verdict, says string) {
	a := b.one(t, explore(name, 500))
	if want == verdict.Pass {
		if a.Kind != wire.Explored || a.Counts.Executions != 500 {
			t.Errorf("%+v, %+v", a, a.Failure)
		}
		return
	}
	if a.Kind != wire.Failed || a.Failure.Verdict != want {
		t.Fatalf("%+v, %+v", a, a.Failure)
	}
	s := b.one(t, wire.Request{Do: wire.Settle, Test: name, Recording: a.Failure.Recording})
	if s.Kind != wire.Settled || s.Failure.Verdict != want || !strings.Contains(s.Failure.Report, says) {
		t.Fatalf("%+v, %+v", s, s.Failure)
	}
	r := b.one(t, wire.Request{Do: wire.Replay, Test: name, Recording: s.Failure.Recording})
	if r.Likeness != "exact" {
		t.Errorf("%+v", r)
	}
	if want == verdict.Deadlock && !strings.Contains(s.Failure.Recording, "join/notify #0: drop") {
		t.Errorf("no fault in\n%s", s.Failure.Recording)
	}
}
