package real

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// others is code of others that panics, by a method of the strategy that is none.
type others struct{}

func (others) Len() int           { return 2 }
func (others) Less(int, int) bool { return strategy.Bounded(nil) == "" }
func (others) Swap(int, int)      {}

// embeds has a method of what it embeds, which is nil.
type embeds struct{ *bytes.Buffer }

// negative is a reader that package bytes refuses.
type negative struct{}

func (negative) Read([]byte) (int, error) { return -1, nil }

// nilPointer returns the error of a nil pointer.
func nilPointer() (value any) {
	defer func() { value = recover() }()
	var nothing *int
	return *nothing
}

func ownNone(string) bool { return false }

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
	late := sync.OnceFunc(func() { panic("late") })
	panicking(late)
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
		"a nil pointer of others":  {func() { strategy.Bounded(nil) }, false},
		"an error of the runtime":  {func() { close(make(chan int, *new(int))); var c chan int; close(c) }, false},
		"a wrapped one":            {again(func() { defer func() { panic(fmt.Errorf("x: %w", recover().(error))) }(); strategy.Bounded(nil) }), false},
		"of package sync":          {func() { wg.Done() }, false},
		"of package sync, again":   {again(func() { wg.Done() }), false},
		"a text, again":            {again(func() { panic("late") }), true},
		"of package sync/atomic":   {func() { new(atomic.Value).Store(nil) }, false},
		"by way of sync.OnceFunc":  {sync.OnceFunc(func() { panic("late") }), true},
		"again by sync.OnceFunc":   {late, true},
		"by way of log.Panic":      {func() { log.New(io.Discard, "", 0).Panic("late") }, true},
		"as that of sync, by hand": {func() { panic("sync: negative WaitGroup counter") }, true},
		"a callback of others":     {func() { sort.Sort(others{}) }, false},
		"a channel, in a callback": {func() { sort.Slice([]int{1, 2}, func(int, int) bool { var c chan int; close(c); return false }) }, false},
	} {
		value, stack := panicking(c.f)
		if got := isDeliberate(value, false, stack, ownNone); got != c.want {
			t.Errorf("%s: %t, want %t\n%s", name, got, c.want, stack)
		}
	}
	// What a line passes to the standard library, which panics, is a check if the line is of a file of tests.
	for name, f := range map[string]func(){
		"a nil reader":        func() { io.ReadAll(nil) }, //nolint:errcheck // it panics
		"a nil buffer":        func() { (*bytes.Buffer)(nil).Len() },
		"a nil timer":         func() { (*time.Timer)(nil).Stop() },
		"a nil mutex":         func() { (*sync.Mutex)(nil).Lock() },
		"a range":             func() { _ = slices.Delete([]int{1}, 1, len(t.Name())) },
		"a negative count":    func() { _ = strings.Repeat("x", -len(t.Name())) },
		"a negative capacity": func() { new(bytes.Buffer).Grow(-len(t.Name())) },
		"an expression":       func() { regexp.MustCompile("(" + t.Name()) },
		"no value":            func() { reflect.ValueOf(nil).Interface() },
		"an error of bytes":   func() { bytes.NewBuffer(nil).ReadFrom(negative{}) }, //nolint:errcheck // it panics
		"an embedded pointer": func() { interface{ Len() int }(embeds{}).Len() },
		"a callback":          func() { sort.Slice([]int{1, 2}, func(int, int) bool { return *nothing > 0 }) },
	} {
		value, stack := panicking(f)
		if !isDeliberate(value, false, stack, ownNone) {
			t.Errorf("%s, by a file of tests: it is an error of the library: %v\n%s", name, value, stack)
		}
		if stack = strings.ReplaceAll(stack, "_test.go:", ".go:"); isDeliberate(value, false, stack, ownNone) {
			t.Errorf("%s, by other code: it is a decision: %v\n%s", name, value, stack)
		}
	}
	// With -trimpath, the file of a module whose path has no dot looks like one of the standard library.
	own := func(function string) bool { return strings.HasPrefix(function, "slices.") }
	if value, stack := panicking(func() { _ = slices.Delete([]int{1}, 1, len(t.Name())) }); isDeliberate(value, false, stack, own) {
		t.Errorf("code under test is taken for the standard library\n%s", stack)
	}
	for text, want := range map[string]bool{"os.Exit(1)": true, "concurrent map writes": false} {
		if isDeliberate(text, true, "", ownNone) != want {
			t.Errorf("fatal error: %s: %t, want %t", text, !want, want)
		}
	}
	// The traceback leaves out the call of panic where a stack begins with it: on a goroutine that defers nothing.
	if stack := "goroutine 7 [running]:\nsync.(*WaitGroup).Add(0x1, 0x2)\n\t/x/waitgroup.go:1 +0x1\nx.f()\n\t/x/x.go:1 +0x1\n"; isDeliberate("sync: negative WaitGroup counter", false, stack, ownNone) {
		t.Error("a panic of package sync is a decision if the call of panic is not shown")
	}
	if stack := "goroutine 7 [running]:\nx.f()\n\t/x/x_test.go:1 +0x1\n"; !isDeliberate(nilPointer(), false, stack, ownNone) {
		t.Error("a line of a file of tests is none if the call of panic is not shown")
	}
	if stack := "goroutine 7 [running]:\npanic({0x1, 0x2})\n\t/x/panic.go:1 +0x1\ntesting.(*common).log(0x1)\n\t/x/testing.go:1 +0x1\n"; !isDeliberate("testing: a log after the end", false, stack, ownNone) {
		t.Error("a panic of package testing is an error of the library")
	}
}
