//go:build chaos

package pool

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// stale returns what f panics with.
func stale(t *testing.T, f func()) (e *StaleUseError) {
	t.Helper()
	defer func() {
		t.Helper()
		err, _ := recover().(error)
		if !errors.As(err, &e) {
			t.Errorf("it panicked with %v, want a *StaleUseError", err)
		}
	}()
	f()
	return nil
}

func says(t *testing.T, e *StaleUseError, words ...string) {
	t.Helper()
	for _, w := range append(words, "pool: stale use: ") {
		if e != nil && !strings.Contains(e.Error(), w) {
			t.Errorf("%q does not say %q", e, w)
		}
	}
}

// TestStaleUse plants a use of each thing that is used again after it was freed: both sides are
// named.
func TestStaleUse(t *testing.T) {
	p, err := New(2, WithName("x"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	err = p.Run(context.Background(), func(w *Worker) error {
		other := (*p.all.Load())[1-w.index]
		var frame *joinTask
		w.Join(func(w *Worker) { frame = w.forks.at(w.forks.top - 1) }, func(*Worker) {})

		// A join that was taken back, or is over for good.
		says(t, stale(t, func() { other.execute(&frame.job) }), "a job: "+other.name()+" runs it, though "+w.name())
		frame.life = life{}
		frame.life.free(w, aJoin, "has taken it back")
		says(t, stale(t, func() { frame.finish(other, outcome{}) }), aJoin, other.name()+" ends it", "though "+w.name()+" has taken it back")
		says(t, stale(t, func() { frame.await(other) }), "waits for it")
		says(t, stale(t, func() { frame.life.free(other, aJoin, "") }), "frees it")
		frame.life.begin(w, aJoin) // as the next fork does
		frame.life.touch(other, aJoin, "runs it")
		frame.life.end(w, aJoin, "has joined it")
		says(t, stale(t, func() { frame.life.begin(w, aJoin) }), w.name()+" uses it again, though "+w.name()+" has joined it")

		// A task of the injector.
		p.hold(1) // as for each that comes
		j := w.injectedTask(func(*Worker) {})
		w.execute(j)
		says(t, stale(t, func() { other.execute(j) }), other.name()+" runs it", w.name()+" has run it")

		// A loop.
		For(w, 4, func(*Worker, int) {})
		l, ok := w.spareLoop.(*loop[struct{}])
		if !ok {
			t.Fatalf("the spare loop is a %T", w.spareLoop)
		}
		says(t, stale(t, func() { l.drive(other, 0, 1, splitter{}) }), aLoop, other.name()+" does elements of it", w.name()+" has ended it")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
