// Package free uses hooks in every way that costs nothing.
package free

import (
	"errors"
	"fmt"
	_ "regexp" // hooks may link what a program has anyway
	"strconv"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
)

var (
	pushed = hooks.Declare("free/pushed", "the item is in, no waiter is notified yet", hooks.Disturbs)
	notify = hooks.Declare("free/notify", "the waiter is about to be notified", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
)

var swap = hooks.Declare("free/swap", "the word was read, and may have changed", hooks.Disturbs|hooks.Fails|hooks.Rolls)

// errFull is initialised when the program starts, as most packages have something
// that is. A package that has nothing but points gets an empty initialiser.
var errFull = fmt.Errorf("queue: %w", errors.ErrUnsupported)

// A Queue is a queue, more or less.
type Queue struct {
	word  uint64
	items []int
	wake  chan struct{}
}

// New returns an empty queue.
func New() *Queue { return &Queue{wake: make(chan struct{}, 2)} }

// Pause passes a point as a value.
func (q *Queue) Pause() { q.pause(pushed) }

func (q *Queue) pause(p hooks.Point) {
	hooks.At(p)
	<-q.wake
}

// Push has a notification that may be dropped.
func (q *Queue) Push(v int) {
	q.items = append(q.items, v)
	hooks.At(pushed)
	if hooks.Notify(notify) > 0 {
		q.signal()
	}
}

// Loop has one that may be doubled. Without the break, a loop would be left in the
// normal build.
func (q *Queue) Loop(v int) error {
	if len(q.items) > 10 {
		return errFull
	}
	q.items = append(q.items, v)
	for range hooks.Notify(notify) {
		q.signal()
		if !hooks.Enabled {
			break
		}
	}
	return nil
}

func (q *Queue) signal() { q.wake <- struct{}{} }

// Swap has a CAS that may be made to fail, and a value that may be rolled.
func (q *Queue) Swap() bool {
	old := atomic.LoadUint64(&q.word)
	hooks.At(swap)
	if hooks.Fail(swap) || !atomic.CompareAndSwapUint64(&q.word, old, hooks.Value(swap, old+1)) {
		return false
	}
	return true
}

// Start starts goroutines.
func (q *Queue) Start(n int) {
	for i := range n {
		go hooks.Task(func() {
			if hooks.Enabled {
				hooks.Name("worker " + strconv.Itoa(i))
			}
			q.Push(i)
		})()
	}
}

// Call recovers, but for the engine's own panic.
func (q *Queue) Call(f func()) (failure any) {
	defer func() {
		if failure = recover(); failure != nil && hooks.Unwinding(failure) {
			panic(failure)
		}
	}()
	f()
	return nil
}

// Each is generic.
func Each[T any](list []T, f func(T)) {
	for _, v := range list {
		hooks.At(pushed)
		f(v)
	}
}

// A Box is generic, too.
type Box[K comparable, V any] struct{ m map[K]V }

// Get has a closure with a hook in it.
func (b *Box[K, V]) Get(k K) (V, bool) {
	get := func() (V, bool) {
		hooks.At(pushed)
		v, ok := b.m[k]
		return v, ok
	}
	return get()
}

// Use instantiates what is generic.
func Use(list []int, b *Box[string, int]) (int, bool) {
	Each(list, func(int) {})
	return b.Get("")
}
