package pool

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Errors to be compared with errors.Is.
var (
	// ErrClosed: the pool does not take jobs from outside any more.
	ErrClosed = errors.New("pool: closed")
	// ErrZeroPool: New did not make the pool.
	ErrZeroPool = errors.New("pool: this Pool was not made by New: want one that was")
	// ErrFull: there is no room for the job (WithMaxInjected), and TryGo does not wait.
	ErrFull = errors.New("pool: full: as many jobs as WithMaxInjected allows wait for a worker")
	// ErrInsideJob: Close was called in a job, and would have waited for that.
	ErrInsideJob = errors.New("pool: Close inside a job would wait for that job; want a goroutine that is no worker, or Worker.Close for another pool")
	// ErrGoexit: the job, or one that ran on top of it, called runtime.Goexit (as testing's FailNow
	// does).
	ErrGoexit = errors.New("pool: job called runtime.Goexit")
	// ErrNoPool: the pool was nil.
	ErrNoPool = errors.New("pool: nil pool: want one made by New")
	// ErrNoFunction: a job was nil. Where no error can be returned it is panicked.
	ErrNoFunction = errors.New("pool: nil function: want a job to run")
)

// PanicError is a panic that was caught in a job and is passed on to its waiter: Join, Scope, Run
// and Broadcast panic with it, the panic handler is called with it.
type PanicError struct {
	Value any    // what the job panicked with
	Stack []byte // the job's stack at that moment, as debug.Stack prints it
}

// Error returns the value and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%v\n\njob's stack:\n%s", e.Value, e.Stack)
}

// Unwrap returns the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// An outcome is how a job ended. The zero outcome is a normal return.
type outcome struct {
	panicked *PanicError
	goexit   bool
}

// outcomeOf makes an outcome of what recover returned in the deferred function of a job that did
// not return. A panic that has crossed a boundary before keeps its first stack.
func outcomeOf(recovered any) outcome {
	switch v := recovered.(type) {
	case nil:
		return outcome{goexit: true}
	case *PanicError:
		if v != nil {
			return outcome{panicked: v}
		}
	}
	return outcome{panicked: &PanicError{Value: recovered, Stack: debug.Stack()}}
}

// resume passes on how a job ended to another job, which waited for it.
func (o outcome) resume() {
	if o.panicked != nil {
		panic(o.panicked)
	}
	if o.goexit {
		runtime.Goexit()
	}
}

// result passes on how a job ended to a goroutine that need not end with it. err is what the job
// returned, if it did.
func (o outcome) result(err error) error {
	if o.panicked != nil {
		panic(o.panicked)
	}
	if o.goexit {
		return ErrGoexit
	}
	return err
}

// refuseNil panics if an entry that returns no error was called without a function.
func refuseNil(missing bool) {
	if missing {
		panic(ErrNoFunction)
	}
}

// A StaleUseError is what the pool panics with, in the chaos build only, if it uses something of
// its own that is free: the frame of a join, a task of the injector, a loop. It is a defect of the
// pool, or corrupted memory: please report it.
type StaleUseError struct {
	What  string // "the frame of a join"
	Freed string // the worker that freed it, and how: "worker 0 has taken it back"
	Used  string // the worker that used it then: "worker 1 runs it"
}

// Error is one line, which begins with "pool: stale use: ".
func (e *StaleUseError) Error() string {
	return fmt.Sprintf("pool: stale use: %s: %s, though %s", e.What, e.Used, e.Freed)
}

// What has a life, in words.
const (
	aJoin      = "the frame of a join"
	anInjected = "a task of the injector"
	aLoop      = "a loop"
)
