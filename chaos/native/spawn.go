package native

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/self"
)

// goroutine returns the number of the calling goroutine.
//
//go:norace
func (in *injector) goroutine() uintptr {
	if in.alike {
		return 0
	}
	return self.G()
}

// current returns the task of the calling goroutine, which becomes a foreign task if it has
// none. Between Hide and Show.
//
//go:norace
func (in *injector) current() *task {
	g := in.goroutine()
	if t := in.tasks.find(g); t != nil {
		return t
	}
	return in.stranger(g)
}

// Owns implements seam.Owner: a task is the goroutine that armed the engine, or
// descends from it.
//
//go:norace
func (in *injector) Owns() bool {
	racing.Hide()
	t := in.tasks.find(in.goroutine())
	racing.Show()
	if t == nil || in.alike {
		return false
	}
	id := t.id
	for id.parent != nil {
		id = id.parent
	}
	return id.root == mainRoot
}

// stranger makes a foreign task of goroutine g.
//
//go:norace
func (in *injector) stranger(g uintptr) *task {
	r := &in.tasks
	r.mu.Lock()
	t := r.find(g)
	if t == nil { // always so, unless all goroutines are alike
		t = in.newTask(g, rootIdent(foreignRoot).child(r.foreign))
		r.foreign++
		r.enterLocked(t)
	}
	r.mu.Unlock()
	return t
}

// newTask returns a task that is not registered yet. Between Hide and Show.
//
//go:norace
func (in *injector) newTask(g uintptr, id *ident) *task {
	t := &task{g: g, id: id, stream: splitmix.Mix(in.seed, id.key)}
	if len(in.faults) > 0 {
		t.marks = make([]mark, len(in.faults))
		t.last.fired = make([]slot, len(in.faults))
		in.aim(t)
	}
	return t
}

// aim sets which faults have t in their scope. Called by t only.
//
//go:norace
func (in *injector) aim(t *task) {
	label := t.name()
	for i, f := range in.faults {
		t.marks[i].strikes = f.strikes(t, label)
	}
}

// Name implements seam.Engine.
//
//go:norace
func (in *injector) Name(name string) {
	if in.alike {
		return // it would name all goroutines
	}
	// Copied byte by byte: reports read it on goroutines that have not synchronised with
	// the one that composed it.
	text := make([]byte, len(name))
	for i := range len(name) {
		text[i] = name[i]
	}
	label := string(text)
	racing.Hide()
	t := in.current()
	t.label.Store(&label)
	in.aim(t)
	racing.Show()
}

// A child is a wrapped body, which becomes a task when it runs.
type child struct {
	in    *injector
	id    *ident
	f     func()
	begun atomic.Bool
}

// Task implements seam.Engine. The edge from parent to child is the go statement's own.
//
//go:norace
func (in *injector) Task(f func()) func() {
	if in.alike {
		return f
	}
	racing.Hide()
	parent := in.current()
	c := &child{in: in, id: parent.id.child(parent.children), f: f}
	parent.children++
	racing.Show()
	return c.run
}

// run is the wrapped body.
//
//go:norace
func (c *child) run() {
	t := c.begin()
	returned := false
	defer c.end(t, &returned) // also on panic and Goexit: the goroutine's number is used again
	c.f()
	returned = true
}

// end is called when the body has returned, panics or calls Goexit.
//
//go:norace
func (c *child) end(t *task, returned *bool) {
	if !*returned && panicking() {
		c.in.panicked(t)
	}
	if t != nil {
		racing.Hide()
		c.in.tasks.leave(t)
		racing.Show()
	}
}

// panicking reports whether the current deferred call was made by a panic that no frame can
// recover: not by Goexit, and the body is the goroutine's first function. It does not recover
// to find out, since a panic that continues after that has another trace.
//
//go:norace
func panicking() bool {
	var pcs [64]uintptr
	panics, last := false, ""
	for skip := 3; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			switch f := runtime.FuncForPC(pc - 1); {
			case f == nil:
			case f.Name() == "runtime.gopanic":
				panics = true
			case f.Name() == "runtime.Goexit":
				return false
			case f.Name() != "runtime.goexit":
				last = f.Name()
			}
		}
		if n < len(pcs) {
			return panics && strings.HasSuffix(last, "native.(*child).run")
		}
	}
}

// panicked prints the seed with which the process ends.
//
//go:norace
func (in *injector) panicked(t *task) {
	title := "a task"
	if t != nil {
		title = "task " + TaskEvents{Path: t.id.path(), Name: t.name()}.title()
	}
	fmt.Fprintf(os.Stderr, "native: %s panics under the plan with seed %#x\n", title, in.planSeed)
}

// begin makes the calling goroutine the task c. If a wrapped body is called several times,
// only the first call is c: no two tasks share a stream.
//
//go:norace
func (c *child) begin() *task {
	racing.Hide()
	var t *task
	if c.begun.CompareAndSwap(false, true) {
		t = c.in.newTask(c.in.goroutine(), c.id)
		c.in.tasks.enter(t)
	}
	racing.Show()
	return t
}
