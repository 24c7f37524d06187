package pool

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"
)

// nested is a pool of one, and a function that runs a job there.
func nested(t *testing.T) func(f func(w *Worker)) error {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return func(f func(w *Worker)) error {
		return p.Run(context.Background(), func(w *Worker) error { f(w); return nil })
	}
}

// Catches: stacks that grow step by step under jobs that are nested, each step moving them all.
func TestManyNestedJobsMoveTheStackOnce(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it takes stacks back, which moves them, too
	const most = 4 * someNested
	var at [most + 1]uintptr
	var nest func(w *Worker)
	nest = func(w *Worker) {
		var here byte
		at[len(w.stack)] = uintptr(unsafe.Pointer(&here))
		if len(w.stack) < most {
			w.Scope(func(*Scope) { nest(w) })
		}
	}
	if err := nested(t)(nest); err != nil {
		t.Fatal(err)
	}
	usual := at[someNested+1] - at[someNested+2]
	for i := someNested + 1; i < most; i++ {
		if down := at[i] - at[i+1]; down != usual {
			t.Errorf("the stack was moved when %d jobs were nested", i)
		}
	}
}

// Catches: jobs that count as nested though a panic or a Goexit has ended them.
func TestJobsThatUnwindAreNotNested(t *testing.T) {
	run := nested(t)
	err := run(func(w *Worker) {
		before := len(w.stack)
		func() {
			defer func() { _ = recover() }()
			w.Scope(func(*Scope) { w.Scope(func(*Scope) { panic("on purpose") }) })
		}()
		if before != 1 || len(w.stack) != before {
			t.Errorf("%d jobs are nested after a panic, %d before it; want 1", len(w.stack), before)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(func(w *Worker) { w.Scope(func(*Scope) { runtime.Goexit() }) }); !errors.Is(err, ErrGoexit) {
		t.Fatal(err)
	}
	if err := run(func(w *Worker) {
		if len(w.stack) != 1 {
			t.Errorf("%d jobs are nested after a Goexit, want 1", len(w.stack))
		}
	}); err != nil {
		t.Fatal(err)
	}
}
