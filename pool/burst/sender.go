package burst

import (
	"slices"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A Sender gives messages to its receivers. NewSender makes one. All methods may be called by any
// goroutine at any time, and none waits for a receiver.
type Sender[T any] struct {
	waiting atomic.Int64 // receivers that can be given a message

	mu        sync.Mutex // before a receiver's own
	receivers []*Receiver[T]
	next      int            // where the search for one begins
	filled    []*Receiver[T] // given a message since the last Wake, in that order
	closed    bool
}

// NewSender returns a Sender without receivers.
func NewSender[T any]() *Sender[T] { return new(Sender[T]) }

// NewReceiver returns another receiver, or ErrClosed.
func (s *Sender[T]) NewReceiver() (*Receiver[T], error) { return s.add(new(Receiver[T])) }

// add makes r one of the receivers.
func (s *Sender[T]) add(r *Receiver[T]) (*Receiver[T], error) {
	r.sender = s
	r.cond.L = &r.mu
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	s.receivers = append(s.receivers, r)
	return r, nil
}

// Enqueue gives v to a receiver that waits: each in its turn, from the one after the last that got
// a message. The receiver sleeps on until Wake. If none waits, Enqueue returns ErrBusy, and after
// Close ErrClosed: v is then the caller's as before.
//
// Cost: two uncontended locks; with a receiver for each message, a load for each that is busy and
// precedes one that is not.
func (s *Sender[T]) Enqueue(v T) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	next := s.next
	for range s.receivers { // E1
		if s.waiting.Load() == 0 {
			break
		}
		r := s.receivers[next]
		if next++; next == len(s.receivers) {
			next = 0
		}
		if !fails(pointEnqueueLook) && r.fill(v) {
			s.next = next // E3: a message that is refused takes no turn
			at(pointEnqueueFilled)
			s.filled = append(s.filled, r)
			return nil
		}
	}
	return ErrBusy
}

// Wake wakes the receivers that were given a message since the last Wake, and returns how many it
// found still asleep. A receiver whose wait was given up meanwhile has its message.
//
// Cost: a lock and a wakeup for each: for a thread receiver, one write(2). There is no other system
// call, but the scheduler's own.
func (s *Sender[T]) Wake() (woken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at(pointWakeTaken)
	for _, r := range s.filled { // W1
		if r.wake() {
			woken++
		}
	}
	clear(s.filled)
	s.filled = s.filled[:0]
	return woken
}

// Close ends all waits. What was enqueued before is received, woken or not; then, and by those that
// have got nothing, ErrClosed. It does not wait for that, and may be called several times.
func (s *Sender[T]) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true // D1
	at(pointCloseSaid)
	for _, r := range s.receivers { // D2
		r.orphan(ErrClosed)
	}
	s.receivers, s.filled = nil, nil
}

// Receivers returns how many receivers there are that have not left.
func (s *Sender[T]) Receivers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.receivers)
}

// Waiting returns how many of them wait and have no message yet. One atomic load; it may be out of
// date at once.
func (s *Sender[T]) Waiting() int { return int(s.waiting.Load()) }

// remove takes a receiver that has left off the list.
func (s *Sender[T]) remove(r *Receiver[T]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.receivers, r)
	if i < 0 {
		return
	}
	s.receivers = slices.Delete(s.receivers, i, i+1)
	if s.next > i {
		s.next--
	}
	if s.next == len(s.receivers) {
		s.next = 0
	}
}
