package chaos

import (
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/control"
)

// C is an execution, as its body sees it. Its methods may be called by every task of it.
//
// It has what helpers ask of a *testing.T, each method about this execution only: Helper,
// Log, Logf, Error, Errorf, Fatal, Fatalf, Fail, FailNow, Failed, Name and Cleanup. It has
// no TempDir, Setenv or Skip: an execution is one of thousands, and shares its files and
// its environment with the others.
type C struct {
	engine engine // nil if f runs natively
	name   string // of the test

	// tasks are the tasks that Go has started, natively.
	tasks sync.WaitGroup

	// mu is hidden from the race detector: logging must not order the tasks that it
	// should find racing.
	mu       sync.Mutex
	entries  *entry   // of the log, last first
	helpers  *helper  // last first
	cleanups *cleanup // last first
	failed   bool
	message  string // of the first failure
	ended    bool   // the body and its cleanups have ended

	// registered orders a call of Cleanup before the function that it registers.
	registered atomic.Int32
}

var _ TB = (*C)(nil)

// Go starts a task: what go hooks.Task(f)() does. Tasks that are left when the body
// has returned are waited for; one that cannot end is a leak.
func (c *C) Go(f func()) {
	if c.engine != nil {
		c.engine.Go(f)
		return
	}
	c.tasks.Go(f)
}

// Choose returns a number below n, at least 1: a choice that is explored, recorded
// and shrunk like those between tasks. Natively it is 0.
func (c *C) Choose(n int) int {
	if c.engine == nil {
		return 0
	}
	return c.engine.Choose(n)
}

// OnStuck registers a judge, which is called if this execution gets stuck: a deadlock, a
// task that outlives the body, a livelock. The judge can return a better verdict, which is
// then reported, recorded and shrunk; see [control.Engine.OnStuck] for what it may do.
// It is never called natively, where no engine knows that an execution is stuck.
func (c *C) OnStuck(j control.Judge) {
	if c.engine != nil {
		c.engine.OnStuck(j)
	}
}

// A cleanup is a function that runs when the body has ended.
type cleanup struct {
	f    func()
	next *cleanup
}

// Cleanup registers f to be called in the body's task when the body has ended: when it has
// returned, has panicked, was ended by FailNow, or is unwound because the execution failed. The
// functions run last first, each even if another one panics or calls FailNow.
//
// In an execution that passes, what f does is explored like the rest of the body. In one
// that has failed, f runs as a deferred call does while a panic unwinds the stack: an
// operation that would have to wait ends it. Tasks that are left need not have ended
// before.
//
// Calling Cleanup after the last of these functions has returned fails the execution.
func (c *C) Cleanup(f func()) {
	if c.engine != nil && c.engine.Task() == "" {
		return
	}
	c.registered.Add(1)
	if !c.register(&cleanup{f: f}) {
		c.Errorf("C.Cleanup: the body has ended, and so have its cleanups: nothing would call this one")
	}
}

// run runs f, which is the body, and then the cleanups.
func (c *C) run(f func()) {
	defer func() {
		next := c.nextCleanup()
		if next == nil {
			return // a panic continues
		}
		v := recover()
		if c.engine != nil {
			c.engine.Recovered(v)
		} else if v != nil {
			defer panic(v)
		}
		c.registered.Load()
		c.run(next.f)
	}()
	f()
}

// natively runs f once, on ordinary goroutines.
func natively(t TB, f func(c *C)) {
	t.Helper()
	c := &C{name: t.Name()}
	done := make(chan struct{})
	go func() {
		defer close(done) // also if f ends by Fatalf
		c.run(func() { f(c) })
	}()
	<-done
	c.tasks.Wait()
	if c.failed {
		t.Fatalf("%s\n%s", c.message, c.log())
	}
	if t.Failed() {
		t.FailNow()
	}
}
