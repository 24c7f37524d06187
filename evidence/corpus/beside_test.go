package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Catches: a statement that is left out, a clause or a declaration that is taken for one, and a line that moves.
func TestGoschedIsInjected(t *testing.T) {
	const text = `package p // a comment

func f(c chan int) int {
	switch n := <-c; {
	case n > 0:
		return 1
	default:
	}
loop:
	for {
		select {
		case <-c:
			break loop
		}
	}
	func() { f(c) }()
	return 0
}
`
	got, err := withGosched("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(text, "package p", "package p; I", 1)
	for _, s := range []string{"switch", "return 1", "loop:\n", "select {", "break loop", "func() {", "f(c) }", "return 0"} {
		want = strings.Replace(want, s, "Y"+s, 1)
	}
	want = strings.ReplaceAll(strings.Replace(want, "; I", goschedImports, 1), "Y", goschedStatement)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := withGosched("p.go", got); err != nil || strings.Count(string(again), "\n") != strings.Count(text, "\n") {
		t.Errorf("the result is no Go file of as many lines: %v\n%s", err, again)
	}
	if empty, err := withGosched("p.go", []byte("package p\n")); err != nil || string(empty) != "package p\n" {
		t.Errorf("%q, %v", empty, err)
	}
}

const nativeTests = `package p

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
)

var n int

func TestFailsThird(t *testing.T) {
	if n++; n == 3 {
		t.Error("third")
	}
}

func TestHangsSecond(t *testing.T) {
	if n++; n == 2 {
		child := exec.Command("sleep", "600")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		os.WriteFile("pid", []byte(strconv.Itoa(child.Process.Pid)), 0o644)
		select {}
	}
}

func TestPasses(t *testing.T) {}

func TestFailsInSecondProcess(t *testing.T) {
	if _, err := os.Stat("first"); err == nil {
		t.Error("second")
	}
	if n++; n == 10_000 {
		os.WriteFile("first", nil, 0o644)
	}
}

func TestManyGoroutines(t *testing.T) {
	if _, err := os.Stat("many"); err == nil {
		t.Error("second")
	}
	if n++; n == 5 {
		os.WriteFile("many", nil, 0o644)
		println("race: limit on 8128 simultaneously alive goroutines is exceeded, dying")
		os.Exit(66)
	}
}
`

// Catches: a failure or a hang that is not seen, or of which the executions are miscounted; a process that ends
// without a failure, after which no other one goes on or which counts as one; a child of a test that stays.
func TestNative(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25.0\n", "p_test.go": nativeTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "p.test")
	if _, err := goCommand(t.Context(), dir, nil, "test", "-c", "-o", binary); err != nil {
		t.Fatal(err)
	}
	for test, want := range map[string]Attempt{
		"TestFailsThird":           {Outcome: Found, By: "a failure", Executions: 3},
		"TestHangsSecond":          {Outcome: Found, By: "a hang", Executions: 2},
		"TestPasses":               {Outcome: NotFound},
		"TestFailsInSecondProcess": {Outcome: Found, By: "a failure", Executions: perProcess + 1},
		"TestManyGoroutines":       {Outcome: Found, By: "a failure", Executions: 6},
	} {
		limit := time.Minute
		if want.Outcome == NotFound {
			limit = time.Second
		}
		n := &native{test: test, limit: limit}
		got, err := n.run(t.Context(), binary, dir)
		if err != nil {
			t.Fatal(err)
		}
		if got.Ms = 0; test == "TestPasses" && got.Executions > 0 {
			got.Executions = 0
		}
		if *got != want {
			t.Errorf("%s: %+v, want %+v", test, *got, want)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; child.Signal(syscall.Signal(0)) == nil; i++ {
		if i == 10_000 {
			t.Fatal("the child of the test that hangs runs")
		}
		time.Sleep(time.Millisecond)
	}
}

// Catches: a run that goes on when its context has ended, and one that counts that as an outcome.
func TestNativeEnds(t *testing.T) {
	end := errors.New("the end")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, end)
	defer cancel()
	n := &native{test: "Test", limit: time.Hour}
	if a, err := n.run(ctx, "sleep", t.TempDir()); a != nil || err == nil {
		t.Errorf("%+v, %v", a, err)
	}
	script := filepath.Join(t.TempDir(), "sleeps")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if a, err := n.run(ctx, script, t.TempDir()); a != nil || !errors.Is(err, end) {
		t.Errorf("%+v, %v, want %v", a, err, end)
	}
}

// Catches: figures that differ in digits that mean nothing.
func TestRounded(t *testing.T) {
	for ms, want := range map[int64]int{0: 0, 7: 7, 99: 99, 104: 100, 105: 110, 1234: 1200, 19_960: 20_000} {
		if got := rounded(ms); got != want {
			t.Errorf("%d ms are rounded to %d, want %d", ms, got, want)
		}
	}
}
