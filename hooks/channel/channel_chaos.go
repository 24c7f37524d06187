//go:build chaos

package channel

import (
	"iter"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Send is c <- v, between channel/send and channel/sent.
func Send[C ~chan T | ~chan<- T, T any](c C, v T) {
	send.At()
	s := &sending[T]{c, v}
	if !communicate(send, s) {
		s.do()
	}
	seam.Published()
	sent.At()
}

// Receive is <-c, between channel/receive and channel/received.
func Receive[C ~chan T | ~<-chan T, T any](c C) T {
	v, _ := ReceiveOK[C, T](c)
	return v
}

// ReceiveOK is v, ok := <-c, between channel/receive and channel/received.
func ReceiveOK[C ~chan T | ~<-chan T, T any](c C) (v T, ok bool) {
	receive.At()
	r := &receiving[T]{c, &v, &ok}
	if !communicate(receive, r) {
		r.do()
	}
	received.At()
	return v, ok
}

// communicate asks the controller, if there is one, and reports whether it has done
// the operation.
func communicate(p *seam.Point, one controlled) bool {
	c := seam.Controlled()
	if c == nil {
		return seam.InControl() && seam.AwaitOutside(one.(Case).try)
	}
	_, done := c.Communicate(p, []seam.Case{one.control()}, false)
	return done
}

// Close is close(c), between channel/close and channel/closed.
func Close[C ~chan T | ~chan<- T, T any](c C) {
	closing.At()
	if control := seam.Controlled(); control != nil && c != nil {
		control.CloseChan(closing, address((chan<- T)(c)))
	}
	close(c)
	seam.Published()
	closed.At()
}

// Len passes channel/len and is len(c).
func Len[C ~chan T | ~<-chan T, T any](c C) int {
	seam.Operate(length, address(c), seam.Load)
	return len(c)
}

// Cap is cap(c).
func Cap[C ~chan T | ~<-chan T, T any](c C) int { return cap(c) }

// Range is range c: each value is received as by ReceiveOK.
func Range[C ~chan T | ~<-chan T, T any](c C) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, ok := ReceiveOK[C, T](c)
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// Select is the select statement over the cases, between channel/select and
// channel/selected. It returns the index of the one that was done, or None. Without
// a case that can ever be done it blocks for ever. It panics if Default is not the
// last case, or a case is nil.
func Select(cases ...Case) int {
	checkCases(cases)
	selects.At()
	chosen := choose(cases)
	selected.At()
	return chosen
}

func choose(cases []Case) int {
	c := seam.Controlled()
	n := len(cases)
	hasDefault := n > 0 && cases[n-1] == Default
	if c == nil {
		chosen := None
		if !hasDefault && seam.InControl() && seam.AwaitOutside(func() bool { chosen = tryAll(cases); return chosen != None }) {
			return chosen
		}
		return wait(cases)
	}
	if hasDefault {
		n--
	}
	all := make([]seam.Case, n)
	for i, one := range cases[:n] {
		all[i] = one.(controlled).control()
	}
	chosen, done := c.Communicate(selects, all, hasDefault)
	if chosen < 0 {
		return None
	}
	if !done {
		cases[chosen].do()
	}
	if all[chosen].Send {
		seam.Published()
	}
	return chosen
}

// A controlled case can be shown to a controller.
type controlled interface{ control() seam.Case }

func (s *sending[T]) control() seam.Case {
	return seam.Case{Chan: outlet[T](s.c), X: address(s.c), Send: true, Value: unsafe.Pointer(&s.v), Copy: copyValue[T]}
}

func (r *receiving[T]) control() seam.Case {
	if r.v == nil {
		r.v = new(T)
	}
	return seam.Case{Chan: inlet[T](r.c), X: address(r.c), Value: unsafe.Pointer(r.v), OK: r.ok, Copy: copyValue[T]}
}

func copyValue[T any](to, from unsafe.Pointer) { *(*T)(to) = *(*T)(from) }

// address identifies a channel; nil if it is nil.
func address[C any](c C) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&c))
}

type outlet[T any] chan<- T

func (c outlet[T]) Len() int { return len(c) }
func (c outlet[T]) Cap() int { return cap(c) }

type inlet[T any] <-chan T

func (c inlet[T]) Len() int { return len(c) }
func (c inlet[T]) Cap() int { return cap(c) }

// TryReceive is for a controller whose execution is over.
func (c inlet[T]) TryReceive() bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
