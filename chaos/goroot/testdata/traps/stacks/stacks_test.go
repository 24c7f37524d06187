// Package stacks sees the stacks of its goroutines, and which functions call its tests.
package stacks

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// is checks which functions are on the stack of the caller, innermost first.
func is(t *testing.T, want ...string) {
	t.Helper()
	pcs := make([]uintptr, 20)
	var names []string
	for frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)]); ; {
		f, more := frames.Next()
		names = append(names, f.Function)
		if !more {
			break
		}
	}
	const here = "example.com/traps/stacks."
	if got := strings.ReplaceAll(strings.Join(names, " "), here, ""); got != strings.Join(want, " ") {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestCallers(t *testing.T) { is(t, "TestCallers", "testing.tRunner", "runtime.goexit") }

func TestSubtest(t *testing.T) {
	t.Run("a", func(t *testing.T) { is(t, "TestSubtest.func1", "testing.tRunner", "runtime.goexit") })
}

func TestCleanup(t *testing.T) {
	t.Cleanup(func() {
		is(t, "TestCleanup.func1", "testing.(*common).Cleanup.func1", "testing.(*common).runCleanup", "testing.tRunner.func2", "testing.tRunner", "runtime.goexit")
	})
}

func TestGoroutine(t *testing.T) {
	done := make(chan bool)
	go func() {
		is(t, "TestGoroutine.func1", "runtime.goexit")
		close(done)
	}()
	<-done
}

func TestOnce(t *testing.T) {
	new(sync.Once).Do(func() {
		is(t, "TestOnce.func1", "sync.(*Once).doSlow", "sync.(*Once).Do", "TestOnce", "testing.tRunner", "runtime.goexit")
	})
}

func FuzzCallers(f *testing.F) {
	is2 := func(t *testing.T) {
		is(t, "FuzzCallers.func1", "FuzzCallers.func2", "reflect.Value.call", "reflect.Value.Call", "testing.(*F).Fuzz.func1.1", "testing.tRunner", "runtime.goexit")
	}
	f.Add(1)
	f.Fuzz(func(t *testing.T, _ int) { is2(t) })
}

// A test has two callers.
func TestCaller(t *testing.T) {
	for skip := range 5 {
		if _, _, _, ok := runtime.Caller(skip); ok != (skip < 3) {
			t.Error(skip, ok)
		}
	}
}

// A stack as text ends as go test's does.
func TestStack(t *testing.T) {
	end := regexp.MustCompile(`\ntesting\.tRunner\(.*\n\t.*testing\.go:\d+ \+0x[0-9a-f]+\ncreated by testing\.\(\*T\)\.Run in goroutine 1\n\t.*testing\.go:\d+ \+0x[0-9a-f]+\n$`)
	all := make([]byte, 1<<16)
	for _, text := range []string{string(debug.Stack()), string(all[:runtime.Stack(all, false)])} {
		if !end.MatchString(text) {
			t.Error(text)
		}
	}
}
