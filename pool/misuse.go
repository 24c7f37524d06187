package pool

import (
	"fmt"
	"sync" // not the drop-in: what watches a schedule must not take part in it

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/self"
)

// A MisuseError is what an entry panics with if it was called where it must not be: an entry for
// outsiders that blocks, by a worker; or one that takes a handle, by a goroutine that is not the
// handle's worker.
//
// The chaos build detects both wherever they happen. The normal build detects an entry for
// outsiders that is about to block a worker of the same pool, outside Blocking: the job would wait
// for workers that may all be doing the same. It neither prevents that a worker of another pool is
// blocked, by which two pools may deadlock, nor checks handles, which race if used elsewhere.
//
// The call has had no effect when it panics.
type MisuseError struct {
	Entry   string // that was called: "Pool.Run"
	Handle  string // the worker whose handle was used: "worker 1 of x"; "" if the entry takes none
	Caller  string // the worker that has called it; "" for a goroutine that is not a worker
	Instead string // what to call instead; "" if the handle is wrong
}

func (e *MisuseError) Error() string {
	switch {
	case e.Handle == "":
		return fmt.Sprintf("pool: %s is for outsiders: %s called it in a job, and would have been blocked by it; want %s", e.Entry, e.Caller, e.Instead)
	case e.Caller == "":
		return fmt.Sprintf("pool: %s was called with the handle of %s on a goroutine that is no worker; want the handle that the job was given, on its own goroutine", e.Entry, e.Handle)
	default:
		return fmt.Sprintf("pool: %s was called with the handle of %s on %s; want the handle that the job was given", e.Entry, e.Handle, e.Caller)
	}
}

// workersByGoroutine maps goroutines to workers. (To the race detector it orders a worker's start
// before its own calls only, which is so anyway.)
var workersByGoroutine sync.Map // of self.G() to binding

// A binding is which worker a goroutine is, in which execution.
type binding struct {
	worker    *Worker
	execution uint64
}

// bind notes that the calling goroutine is w's, until what it returns is called on it.
func (w *Worker) bind() (unbind func()) {
	g := self.G()
	workersByGoroutine.Store(g, binding{w, currentExecution()})
	w.goroutine.Store(g)
	return func() {
		w.goroutine.CompareAndSwap(g, 0) // after a Goexit the next one may have come
		workersByGoroutine.Delete(g)
	}
}

// caller returns the worker that the calling goroutine is, or nil. On platforms where goroutines
// have no known identity, known is false. It takes some 20 ns.
func caller() (w *Worker, known bool) {
	if !self.Known {
		return nil, false
	}
	v, ok := workersByGoroutine.Load(self.G())
	if !ok {
		return nil, true
	}
	if b := v.(binding); b.execution == currentExecution() {
		return b.worker, true
	}
	return nil, true // a worker of an earlier execution had that number
}

// check panics unless the caller is w. Chaos build only: in the normal build it would cost more
// than most entries.
func (w *Worker) check(entry string) {
	if hooks.Enabled {
		w.checkHandle(entry)
	}
}

func (w *Worker) checkHandle(entry string) {
	on, known := caller()
	if !known || on == w {
		return
	}
	e := &MisuseError{Entry: entry, Handle: "no worker (nil)"}
	if w != nil {
		e.Handle = w.name()
	}
	if on != nil {
		e.Caller = on.name()
	}
	panic(e)
}

// outside panics if the caller is a worker of p, or, in the chaos build, of any pool, unless it is
// inside Blocking. It is called where the caller would block.
func (p *Pool) outside(entry, instead string) {
	on, _ := caller()
	if on == nil || !hooks.Enabled && on.pool != p || on.blocks.Load() {
		return
	}
	panic(&MisuseError{Entry: entry, Caller: on.name(), Instead: instead + ", or Worker.Blocking around it"})
}

// outsideBroadcast is outside for Pool.Broadcast, for which Blocking does not help in a job of the
// same pool: the caller's own share would wait for the caller.
func (p *Pool) outsideBroadcast() {
	const entry, instead = "Pool.Broadcast", "Worker.Broadcast"
	p.outside(entry, instead)
	if on, _ := caller(); on != nil && on.pool == p && on.index < len(p.workers) {
		panic(&MisuseError{Entry: entry, Caller: on.name(), Instead: instead})
	}
}

// outsideIfBounded is outside for entries that block only in a pool with WithMaxInjected. Chaos
// build only: the normal build checks only when there is no room (outsideIfFull).
func (p *Pool) outsideIfBounded(entry, instead string) {
	if p != nil && p.gate != nil {
		p.outside(entry, instead)
	}
}

// outsideIfFull is outside for a job that is about to wait for room, and has a reference to p,
// which it gives back if outside panics.
func (p *Pool) outsideIfFull(entry, instead string) {
	if hooks.Enabled { // has been asked
		return
	}
	ok := false
	defer func() {
		if !ok {
			p.release()
		}
	}()
	p.outside(entry, instead)
	ok = true
}
