//go:build chaos

package context

import (
	"context"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/hooks"
	hookstime "github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/seam"
)

// A controlled context is one that was made under a controller: its end is a step
// of the execution, its deadline is in virtual time, and what it starts are tasks.
// A context that is not, and has an end, ends whenever it likes, unseen.
type controlled struct {
	control *seam.Control
	parent  Context
	done    chan struct{}

	deadline time.Time // zero: no deadline
	timer    *hookstime.Timer

	mu       sync.Mutex // goroutines that are no tasks may ask, too
	err      error
	cause    error
	children []*controlled // in order of creation
	funcs    []*call
}

// A call is a function of AfterFunc that has not been started or stopped.
type call struct{ f func() }

// key finds the controlled context that another one derives from.
var key byte

// newControlled returns a context that ends with its parent, at the latest.
func newControlled(control *seam.Control, parent Context) *controlled {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &controlled{control: control, parent: parent, done: make(chan struct{})}
	if p := controlledOf(parent); p != nil {
		p.mu.Lock()
		err, cause := p.err, p.cause
		if err == nil {
			p.children = append(p.children, c)
		}
		p.mu.Unlock()
		if err != nil {
			c.end(err, cause)
		}
		return c
	}
	if err := parent.Err(); err != nil {
		c.end(err, context.Cause(parent))
	} else if parent.Done() != nil {
		context.AfterFunc(parent, func() { c.end(parent.Err(), context.Cause(parent)) })
	}
	return c
}

// controlledOf returns the controlled context that ctx ends with, or nil.
func controlledOf(ctx Context) *controlled {
	if c, ok := ctx.Value(&key).(*controlled); ok && ctx.Done() == (<-chan struct{})(c.done) {
		return c
	}
	return nil
}

// expire makes the context end at d, if it would not end before.
func (c *controlled) expire(d time.Time, cause error) {
	if earlier, ok := c.parent.Deadline(); ok && earlier.Before(d) {
		return
	}
	c.deadline = d
	if cause == nil {
		cause = context.DeadlineExceeded
	}
	left := d.Sub(now(c.control))
	if left <= 0 {
		c.end(context.DeadlineExceeded, cause)
		return
	}
	c.timer = hookstime.AfterFunc(left, func() { c.cancel(context.DeadlineExceeded, cause) })
}

// now is the controller's time.
func now(control *seam.Control) time.Time {
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(control.Now()))
}

// cancel ends the context, in a step of the calling task.
func (c *controlled) cancel(err, cause error) {
	if control := seam.Controlled(); control != nil {
		c.mu.Lock()
		over := c.err != nil
		c.mu.Unlock()
		if over {
			return
		}
		control.CloseChan(cancelling, c.address())
	}
	c.end(err, cause)
	if c.timer != nil {
		c.timer.Stop()
	}
}

// end ends the context and those that derive from it, all in one step, and starts
// what waits for that.
func (c *controlled) end(err, cause error) {
	if cause == nil {
		cause = err
	}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err, c.cause = err, cause
	children, funcs := c.children, c.funcs
	c.children, c.funcs = nil, nil
	close(c.done)
	c.mu.Unlock()
	if control := seam.Controlled(); control != nil {
		control.ChanClosed(c.address())
	}
	for _, child := range children {
		child.end(err, cause)
	}
	for _, f := range funcs {
		go hooks.Task(f.run)()
	}
}

func (f *call) run() {
	afterRun.At()
	f.f()
}

func (c *controlled) address() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c.done)) }

// Deadline implements Context.
func (c *controlled) Deadline() (time.Time, bool) {
	if c.deadline.IsZero() {
		return c.parent.Deadline()
	}
	return c.deadline, true
}

// Done implements Context.
func (c *controlled) Done() <-chan struct{} { return c.done }

// Err implements Context. It is a step: the context can end before it.
func (c *controlled) Err() error {
	if control := seam.Controlled(); control != nil {
		control.Access(nil, c.address(), seam.Load)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Value implements Context.
func (c *controlled) Value(k any) any {
	if k == &key {
		return c
	}
	return c.parent.Value(k)
}

// AfterFunc is what the standard package asks for of a context that is not its own.
func (c *controlled) AfterFunc(f func()) (stop func() bool) {
	k := &call{f}
	c.mu.Lock()
	over := c.err != nil
	if !over {
		c.funcs = append(c.funcs, k)
	}
	c.mu.Unlock()
	if over {
		go hooks.Task(k.run)()
	}
	return func() bool {
		if control := seam.Controlled(); control != nil {
			control.Access(nil, c.address(), seam.Store)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.funcs, k)
		if i < 0 {
			return false
		}
		c.funcs = slices.Delete(c.funcs, i, i+1)
		return true
	}
}

// whenDone is AfterFunc under a controller.
func whenDone(control *seam.Control, ctx Context, f func()) (stop func() bool) {
	var standard func() bool
	if c := controlledOf(ctx); c != nil {
		control.Access(afterFunc, c.address(), seam.Store)
		standard = c.AfterFunc(f)
	} else {
		standard = context.AfterFunc(ctx, f)
	}
	afterFunc.At()
	return func() bool {
		afterStop.At()
		return standard()
	}
}

// Cause is [context.Cause].
func Cause(c Context) error {
	if own := controlledOf(c); own != nil {
		own.mu.Lock()
		defer own.mu.Unlock()
		return own.cause
	}
	return context.Cause(c)
}
