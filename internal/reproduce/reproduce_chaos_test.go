//go:build chaos

package reproduce

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/internal/faketest"
)

// lost loses an increment, under some schedules.
func lost(e *control.Engine) func() {
	return func() {
		var x atomic.Int64
		var done atomic.Int64
		for range 2 {
			e.Go(func() {
				x.Store(x.Load() + 1)
				if done.Add(1) == 2 && x.Load() != 2 {
					e.Fail(verdict.WrongResult, "an increment is lost")
				}
			})
		}
	}
}

// found returns a failure of body's.
func found(t *testing.T, body func(e *control.Engine) func()) control.Result {
	t.Helper()
	e, err := control.New(control.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for n := range 1000 {
		if r, _ := e.Run(strategy.ChildKey(1, n), body(e)); r.Verdict != verdict.Pass {
			r.Schedule = r.Schedule.Clone()
			return r
		}
	}
	t.Fatal("not found")
	return control.Result{}
}

// said returns what a test logs that runs f.
func said(name string, f func(t TB)) string {
	return strings.TrimSuffix(faketest.Run(name, func(t *faketest.Test) { f(t) }).Log, "\n")
}

func TestWhatRepeatsIsAccepted(t *testing.T) {
	t.Setenv(environment, "")
	runs := 0
	Result(t, control.Options{}, found(t, lost), func(e *control.Engine) func() {
		body := lost(e)
		return func() { runs++; body() }
	})
	if want := 4*times() + 1; runs != want {
		t.Errorf("%d executions, want %d", runs, want)
	}
}

// The controls: whatever a recording depends on besides its schedule is found.
func TestWhatDoesNotRepeatIsReported(t *testing.T) {
	t.Setenv(environment, "")
	failure := found(t, lost)
	if failure.Schedule.Len() == 0 {
		t.Fatal("the failure needs no decision")
	}
	// Besides its schedule the body depends on its arguments.
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	depending := func(on func(runs int) bool) func(e *control.Engine) func() {
		runs := 0
		return func(e *control.Engine) func() {
			body := lost(e)
			return func() {
				if runs++; on(runs) {
					new(atomic.Int64).Add(1)
				}
				body()
			}
		}
	}
	for want, body := range map[string]func(e *control.Engine) func(){
		"has another when it is repeated":                               depending(func(runs int) bool { return runs == 1 }),
		"coroutines, 1 processors: repetition 0":                        depending(func(runs int) bool { return runs == 2 }),
		"coroutines, 2 processors: repetition 0":                        depending(func(runs int) bool { return runs > 1 && runtime.GOMAXPROCS(0) == 2 }),
		fmt.Sprintf("channels, 1 processors: repetition %d", times()-1): depending(func(runs int) bool { return runs == 1+3*times() }),
	} {
		got := said("TestOfTwo", func(t TB) { Result(t, control.Options{}, failure, body) })
		if !strings.Contains(got, want) {
			t.Errorf("said %q, want %q", got, want)
		}
	}
	other := failure
	other.Verdict = verdict.Deadlock
	if got := said("TestOfTwo", func(t TB) { Result(t, control.Options{}, other, lost) }); !strings.Contains(got, "is wrong-result with trace") {
		t.Errorf("of another verdict it is said %q", got)
	}
}

func TestOtherBinariesAreCompared(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(environment, dir)
	failure := found(t, lost)
	test := func(name string) string {
		return said(name, func(t TB) { Result(t, control.Options{}, failure, lost) })
	}
	again := func() { made.Lock(); made.by = nil; made.Unlock() } // another binary begins
	for range 2 {
		again()
		if got := test("Test/of two") + test("Test/of two"); got != "" {
			t.Fatal(got)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 2 || filepath.Base(files[0]) != "reproduce_Test_of_two-1.rouse" {
		t.Fatalf("files: %q, want two", files)
	}
	r, err := recording.Read(files[1])
	if err != nil {
		t.Fatal(err)
	}
	r.Hash++
	if err := r.Write(files[1]); err != nil {
		t.Fatal(err)
	}
	again()
	if got := test("Test/of two"); got != "" {
		t.Error(got)
	}
	if got := test("Test/of two"); !strings.HasPrefix(got, "another binary has made another recording") {
		t.Errorf("of another hash it is said %q", got)
	}
	if err := os.WriteFile(files[0], []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	again()
	if got := test("Test/of two"); !strings.Contains(got, ":1:1: found") {
		t.Errorf("of a torn file it is said %q", got)
	}
}
