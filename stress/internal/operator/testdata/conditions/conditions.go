// operators: drop-second-check negate-condition condition-true condition-false drop-operand
// operators: off-by-one-bound for-to-if delete-count off-by-one-count
// operators: delete-signal broadcast-to-signal delete-notify wake-early

// Package conditions is searched for mutants: want names those of a line.
package conditions

import (
	"errors"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
)

type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	items    []int
	capacity int
	closed   bool
	ready    atomic.Bool
	state    state
	wake     func()
	woken    chan int
}

type state int

const idle state = 1

func (q *queue) put(v int) {
	q.mu.Lock()
	q.items = append(q.items, v)
	q.notEmpty.Signal() // want delete-signal
	q.mu.Unlock()
}

func (q *queue) take() (v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 { // want for-to-if negate-condition condition-false off-by-one-bound
		q.notEmpty.Wait()
	}
	return q.items[0]
}

// A loop that is left by a break is no if.
func (q *queue) broken() {
	for !q.closed { // want negate-condition condition-false
		q.notEmpty.Wait()
		if q.ready.Load() { // want negate-condition condition-true condition-false
			break
		}
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast() // want delete-signal broadcast-to-signal
	q.wake()               // want delete-notify
}

func (q *queue) lazily() {
	if q.ready.Load() { // want negate-condition condition-true condition-false
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ready.Load() { // want drop-second-check negate-condition condition-true
		return
	}
	q.ready.Store(true) // want wake-early
	close(q.woken)
}

// Between the two checks of a part of the state nothing is locked or written, and another part is
// checked.
func (q *queue) twice(n int) int {
	if q.closed { // want negate-condition condition-true condition-false
		n++
	}
	if q.closed { // want negate-condition condition-true condition-false
		n++
	}
	q.ready.Store(true)
	if q.capacity > n { // want negate-condition condition-true condition-false off-by-one-bound
		return 1
	}
	for q.ready.Load() { // want negate-condition condition-false
		n++
	}
	if n > 0 && !q.closed { // want drop-second-check negate-condition condition-false drop-operand
		n--
	}
	return n
}

// A loop without a condition runs once, if the function does not end with it.
func (q *queue) retry() {
	for { // want for-to-if
		if q.ready.CompareAndSwap(false, true) { // want negate-condition condition-false
			return
		}
	}
}

func (q *queue) retryValue() int {
	for {
		if q.ready.CompareAndSwap(false, true) { // want negate-condition condition-false
			return 1
		}
		continue
	}
}

func (q *queue) full(n int, err error) bool {
	if err != nil {
		return false
	}
	if n > 0 && !q.closed { // want negate-condition condition-true condition-false drop-operand
		n++
	}
	if q.state == idle { // want negate-condition condition-true condition-false
		return true
	}
	return len(q.items) >= q.capacity // want off-by-one-bound
}

func (q *queue) choose() int {
	switch {
	case q.closed: // want negate-condition condition-true condition-false
		return 1
	case q.ready.Load(): // want negate-condition condition-true condition-false
		return 2
	}
	switch q.capacity {
	case 1:
		return 3
	}
	return 4
}

// Local variables are nobody else's, unless a function literal shares them.
func local(limit int) int {
	n, shared := 0, 0
	for n < limit {
		n++
	}
	done := make(chan int)
	go func() { // a goroutine
		shared++ // want delete-count off-by-one-count wake-early
		close(done)
	}()
	<-done
	if shared > 0 { // want negate-condition condition-true condition-false off-by-one-bound
		return n
	}
	return shared
}

// A struct without a lock, and what reaches no such struct.
type point struct{ x, y int }

func (p *point) up() {
	if p.x > 0 {
		p.y++
	}
}

// What a shared struct leads to.
type owner struct {
	mu    sync.Mutex
	first *link
}

type link struct{ n int }

func (l *link) count() { l.n++ } // want delete-count off-by-one-count

// A retry, and a group that counts.
func (q *queue) once(group *sync.WaitGroup) {
	for !q.ready.CompareAndSwap(false, true) { // want for-to-if negate-condition condition-false
	}
	group.Add(2) // want off-by-one-count
}

// Names that begin with notify or signal, of the standard library.
func signals(p *os.Process) error {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	p.Signal(os.Interrupt)
	return errors.New("done")
}

func notifyAll(q *queue) {
	notifyOne(q) // want delete-notify
}

func notifyOne(*queue) {}
