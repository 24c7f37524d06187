package chaos

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// C is an execution, from inside. Its methods may be called by every task of it.
type C struct {
	engine *control.Engine // nil if f runs natively

	// Natively.
	tasks sync.WaitGroup
	mu    sync.Mutex
	fails []string
}

// Go starts a task: what go hooks.Task(f)() does. Tasks that are left when the body
// has returned are waited for; one that cannot end is a leak.
func (c *C) Go(f func()) {
	if c.engine != nil {
		c.engine.Go(f)
		return
	}
	c.tasks.Go(f)
}

// Errorf fails the execution with the verdict wrong-result. The first message
// counts. The calling task goes on, at most to its next operation.
func (c *C) Errorf(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if c.engine != nil {
		c.engine.Fail(verdict.WrongResult, message)
		return
	}
	c.mu.Lock()
	c.fails = append(c.fails, message)
	c.mu.Unlock()
}

// Fatalf is Errorf, and ends the calling task.
func (c *C) Fatalf(format string, args ...any) {
	c.Errorf(format, args...)
	runtime.Goexit()
}

// Choose returns a number below n, at least 1: a choice that is explored, recorded
// and shrunk like those between tasks. Natively it is 0.
func (c *C) Choose(n int) int {
	if c.engine == nil {
		return 0
	}
	return c.engine.Choose(n)
}

// OnStuck has the judge asked, in case that this execution gets stuck: a deadlock, a
// task that outlives the body, a livelock. It can give that a better verdict, which is
// then what is reported, recorded and shrunk; see [control.Engine.OnStuck] for what it
// may do. Natively nobody knows when an execution is stuck, and it is never asked.
func (c *C) OnStuck(j control.Judge) {
	if c.engine != nil {
		c.engine.OnStuck(j)
	}
}

// natively runs f once, on ordinary goroutines.
func natively(t TB, f func(c *C)) {
	t.Helper()
	c := new(C)
	done := make(chan struct{})
	go func() {
		defer close(done) // also if f ends by Fatalf
		f(c)
	}()
	<-done
	c.tasks.Wait()
	if len(c.fails) > 0 {
		t.Fatalf("%s", c.fails[0])
	}
	if t.Failed() {
		t.FailNow()
	}
}
