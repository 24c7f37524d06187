package faketest

import (
	"fmt"
	"runtime"
)

// A Test has the methods of a *testing.T that this module calls. It is for one goroutine.
type Test struct {
	name   string
	failed bool
	Log    string // the logged messages, one a line
}

// New returns a test that does not run by Run.
func New(name string) *Test { return &Test{name: name} }

// Run calls f on a goroutine of its own, and returns when f does, or has called FailNow.
func Run(name string, f func(t *Test)) *Test {
	t := New(name)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	return t
}

// Helper does nothing.
func (t *Test) Helper() {}

// Name returns the name given to New or Run.
func (t *Test) Name() string { return t.name }

// Fail makes Failed true.
func (t *Test) Fail() { t.failed = true }

// Failed reports whether Fail, FailNow or Fatalf has been called.
func (t *Test) Failed() bool { return t.failed }

// Logf adds a line to Log.
func (t *Test) Logf(format string, args ...any) { t.Log += fmt.Sprintf(format, args...) + "\n" }

// FailNow ends the goroutine.
func (t *Test) FailNow() {
	t.Fail()
	runtime.Goexit()
}

// Fatalf is Logf and FailNow.
func (t *Test) Fatalf(format string, args ...any) {
	t.Logf(format, args...)
	t.FailNow()
}
