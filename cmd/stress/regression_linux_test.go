package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A mended failure has its line with the bug, and without. Each test differs in nothing else.
type mended struct {
	name, verdict, args string
	text                string // of the test file, with BUG in place of the line
	bug, fix            string
	moved               string // text of the test that is removed so that decisions have no place any more; with BUG the whole line
}

var mendedFailures = []mended{
	{"deadlock", "deadlock", "", `func TestOrder(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { BUG })
	wg.Wait()
}
`, "b.Lock(); a.Lock(); a.Unlock(); b.Unlock()", "a.Lock(); b.Lock(); b.Unlock(); a.Unlock()", "wg.Go(func() { BUG })"},
	{"wakeup", "deadlock", "", `func TestSignal(t *testing.T) {
	var mu sync.Mutex
	c, ready := sync.NewCond(&mu), false
	go func() { BUG; c.Signal() }()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}
`, "ready = true", "mu.Lock(); ready = true; mu.Unlock()", ""},
	{"panic", "panic", "", `func TestTwice(t *testing.T) {
	var mu sync.Mutex
	closed, done := false, make(chan int)
	end := func() { BUG; c := closed; mu.Unlock(); if !c { mu.Lock(); closed = true; mu.Unlock(); close(done) } }
	var wg sync.WaitGroup
	wg.Go(end)
	wg.Go(end)
	wg.Wait()
}
`, "mu.Lock()", "mu.Lock(); if !closed { closed = true; close(done) }", ""},
	{"race", "data-race", "--race", `func TestCount(t *testing.T) {
	var mu sync.Mutex
	n := 0
	add := func() { BUG }
	var wg sync.WaitGroup
	wg.Go(add)
	wg.Go(add)
	wg.Wait()
	mu.Lock()
	t.Log(n)
	mu.Unlock()
}
`, "n++", "mu.Lock(); n++; mu.Unlock()", ""},
	{"leak", "leak", "--leaks", `func TestFirst(t *testing.T) {
	c := make(chan int, BUG)
	for i := range 2 {
		go func() { c <- i }()
	}
	<-c
}
`, "0", "2", ""},
	{"wrong", "wrong-result", "", `func TestLast(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	BUG
		t.Error("empty")
	}
}
`, "select { case <-c: default:", "if <-c != 1 {", ""},
}

// write writes the module with that line, with the bug or without.
func (f *mended) write(t *testing.T, dir, line string) {
	t.Helper()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25\n")
	write(t, dir, "m_test.go", f.source(line))
}

// source is the test file with that line.
func (f *mended) source(line string) string {
	return "package m\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nvar _ sync.Mutex\n\n" + strings.ReplaceAll(f.text, "BUG", line)
}

// record has stress test find the bug in a module of its own. It returns the module and the recording.
func (f *mended) record(t *testing.T, args ...string) (dir, recording string) {
	t.Helper()
	dir = t.TempDir()
	f.write(t, dir, f.bug)
	got := in(t, dir, plainBinary, append([]string{"test", "--seed", "1", "."}, args...)...)
	got.want(t, 1)
	files, err := filepath.Glob(filepath.Join(dir, "testdata/chaos/*/*.rouse"))
	if err != nil || len(files) != 1 {
		t.Fatalf("recordings %q, %v, want one\n%s", files, err, got.out)
	}
	return dir, files[0]
}

// Catches: a written test that passes with the bug, or fails without it; that does not report that the code has moved on;
// that is not formatted; and that is written twice.
func TestWrittenTests(t *testing.T) {
	bin := t.TempDir()
	copyFile(t, plainBinary, filepath.Join(bin, "stress"))
	for _, f := range mendedFailures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir, recording := f.record(t, strings.Fields(f.args)...)
			got := in(t, dir, plainBinary, "explain", "--test", recording)
			got.want(t, 0)
			if again := in(t, dir, plainBinary, "explain", "--test", recording); !strings.Contains(again.out, "repeats it already") {
				t.Errorf("the second time: %s", again.out)
			}
			written, err := filepath.Glob(filepath.Join(dir, "*_regression_test.go"))
			if err != nil || len(written) != 1 {
				t.Fatalf("wrote %q, %v, want one file", written, err)
			}
			if out, err := exec.Command("gofmt", "-l", written[0]).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("gofmt: %s%v", out, err)
			}
			run := func() (string, bool) {
				cmd := exec.Command("go", "test", "-count=1", "-v", "-run", regressionName(t, written[0]), ".")
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "CI=1", "GOFLAGS=")
				out, err := cmd.CombinedOutput()
				return string(out), err == nil
			}
			if out, passes := run(); passes || !strings.Contains(out, "FAIL: the recorded "+f.verdict+" still happens") {
				t.Errorf("with the bug, passes: %v\n%s", passes, out)
			}
			f.write(t, dir, f.fix)
			if out, passes := run(); !passes || !strings.Contains(out, "pass: the recorded "+f.verdict+" no longer happens") {
				t.Errorf("with the fix, passes: %v\n%s", passes, out)
			}
			if f.moved == "" {
				return
			}
			f.text = strings.Replace(f.text, f.moved, "", 1)
			f.write(t, dir, f.bug)
			if out, passes := run(); !passes || !strings.Contains(out, "the code has moved on: ") || !strings.Contains(out, "gone: ") {
				t.Errorf("without the place, passes: %v\n%s", passes, out)
			}
		})
	}
}

// regressionName returns the name of the test that a file has.
func regressionName(t *testing.T, file string) string {
	t.Helper()
	_, rest, _ := strings.Cut(readFile(t, file), "\nfunc ")
	name, _, ok := strings.Cut(rest, "(")
	if !ok {
		t.Fatalf("%s has no test", file)
	}
	return "^" + name + "$"
}

// Catches: a written test that passes in CI though stress is missing, and one that fails elsewhere for that.
func TestWrittenTestWithoutStress(t *testing.T) {
	dir, recording := mendedFailures[len(mendedFailures)-1].record(t)
	in(t, dir, plainBinary, "explain", "--test", recording).want(t, 0)
	for ci, want := range map[string]string{"": "--- SKIP", "1": "--- FAIL"} {
		cmd := exec.Command("go", "test", "-count=1", "-v", "-run", "WrongResult$", ".")
		cmd.Dir = dir
		goTool, err := exec.LookPath("go")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(goTool), "CI="+ci, "GOFLAGS=")
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) || !strings.Contains(string(out), "go install github.com/rouse-go/rouse/cmd/stress@") {
			t.Errorf("CI=%q: want %s:\n%s", ci, want, out)
		}
	}
}

// Catches: a data race of the driver's own, reported when one recording is repeated with the race detector.
func TestReplayHasNoRaceOfItsOwn(t *testing.T) {
	dir, recording := mendedFailures[0].record(t, "--race")
	got := in(t, dir, plainBinary, "replay", "--regression", recording)
	if got.want(t, 1); strings.Contains(got.out, "DATA RACE") || !strings.Contains(got.out, "still happens") {
		t.Errorf("%s", got.out)
	}
}
