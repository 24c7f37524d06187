package control

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// Catches: an error that the runtime or package sync has found and that counts as a decision of the subject's, and
// the other way round.
func TestDeliberate(t *testing.T) {
	panicking := func(f func()) (value any, stack string) {
		defer func() {
			buf := make([]byte, 64<<10)
			value, stack = recover(), string(buf[:runtime.Stack(buf, false)])
		}()
		f()
		return
	}
	var wg sync.WaitGroup
	var nothing *int
	again := func(f func()) func() {
		return func() {
			defer func() { panic(recover()) }()
			f()
		}
	}
	for name, c := range map[string]struct {
		f    func()
		want bool
	}{
		"a text":                   {func() { panic("late") }, true},
		"an error":                 {func() { panic(errors.New("late")) }, true},
		"a nil pointer":            {func() { *nothing = 1 }, true}, // in a file of tests
		"an index":                 {func() { _ = make([]int, 1)[len(t.Name())] }, true},
		"a type":                   {func() { _ = any(again).(error) }, true},
		"a nil pointer of others":  {func() { (*bytes.Buffer)(nil).Len() }, false},
		"an error of the runtime":  {func() { close(make(chan int, *new(int))); var c chan int; close(c) }, false},
		"a wrapped one":            {again(func() { defer func() { panic(fmt.Errorf("x: %w", recover().(error))) }(); (*bytes.Buffer)(nil).Len() }), false},
		"of package sync":          {func() { wg.Done() }, false},
		"of package sync, again":   {again(func() { wg.Done() }), false},
		"a text, again":            {again(func() { panic("late") }), true},
		"by way of sync.OnceFunc":  {sync.OnceFunc(func() { panic("late") }), true},
		"as that of sync, by hand": {func() { panic("sync: negative WaitGroup counter") }, true},
	} {
		value, stack := panicking(c.f)
		if got := isDeliberate(value, false, stack); got != c.want {
			t.Errorf("%s: %t, want %t\n%s", name, got, c.want, stack)
		}
	}
	for text, want := range map[string]bool{"os.Exit(1)": true, "concurrent map writes": false} {
		if isDeliberate(text, true, "") != want {
			t.Errorf("fatal error: %s: %t, want %t", text, !want, want)
		}
	}
	// The traceback leaves out the call of panic where a stack begins with it: on a goroutine that defers nothing.
	if stack := "goroutine 7 [running]:\nsync.(*WaitGroup).Add(0x1, 0x2)\n\t/x/waitgroup.go:1 +0x1\nx.f()\n\t/x/x.go:1 +0x1\n"; isDeliberate("sync: negative WaitGroup counter", false, stack) {
		t.Error("a panic of package sync is a decision if the call of panic is not shown")
	}
	if stack := "goroutine 7 [running]:\nx.f()\n\t/x/x_test.go:1 +0x1\n"; !isOfTests(stack) {
		t.Error("a line of a file of tests is none if the call of panic is not shown")
	}
	if stack := "goroutine 7 [running]:\npanic({0x1, 0x2})\n\t/x/panic.go:1 +0x1\ntesting.(*common).log(0x1)\n\t/x/testing.go:1 +0x1\n"; !isDeliberate("testing: a log after the end", false, stack) {
		t.Error("a panic of package testing is an error of the library")
	}
}
