package channel

import (
	"math/rand/v2"
	"reflect"
)

// A Case is one communication of a Select: see OnReceive, OnSend and Default.
type Case interface {
	// try does it if that is possible at once.
	try() bool
	// do does it, waiting if need be.
	do()
	// reflected is the case for package reflect.
	reflected() reflect.SelectCase
	// finish takes what reflect has received.
	finish(v reflect.Value, ok bool)
}

// None is what Select returns if it takes the default.
const None = -1

// Default as the last case of a Select makes it not wait.
var Default Case = others{}

type others struct{}

func (others) try() bool                     { return false }
func (others) do()                           {}
func (others) reflected() reflect.SelectCase { return reflect.SelectCase{Dir: reflect.SelectDefault} }
func (others) finish(reflect.Value, bool)    {}

type receiving[T any] struct {
	c  <-chan T
	v  *T
	ok *bool
}

// OnReceive is the case that receives from c: into *v, and into *ok whether the
// value was sent; nil is neither.
func OnReceive[C ~chan T | ~<-chan T, T any](c C, v *T, ok *bool) Case {
	return &receiving[T]{c, v, ok}
}

func (r *receiving[T]) set(v T, ok bool) {
	if r.v != nil {
		*r.v = v
	}
	if r.ok != nil {
		*r.ok = ok
	}
}

func (r *receiving[T]) try() bool {
	select {
	case v, ok := <-r.c:
		r.set(v, ok)
		return true
	default:
		return false
	}
}

func (r *receiving[T]) do() {
	v, ok := <-r.c
	r.set(v, ok)
}

func (r *receiving[T]) reflected() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.c)}
}

func (r *receiving[T]) finish(v reflect.Value, ok bool) {
	if r.v != nil {
		reflect.ValueOf(r.v).Elem().Set(v)
	}
	if r.ok != nil {
		*r.ok = ok
	}
}

type sending[T any] struct {
	c chan<- T
	v T
}

// OnSend is the case that sends v on c.
func OnSend[C ~chan T | ~chan<- T, T any](c C, v T) Case { return &sending[T]{c, v} }

func (s *sending[T]) try() bool {
	select {
	case s.c <- s.v:
		return true
	default:
		return false
	}
}

func (s *sending[T]) do() { s.c <- s.v }

func (s *sending[T]) reflected() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(s.c), Send: reflect.ValueOf(&s.v).Elem()}
}

func (s *sending[T]) finish(reflect.Value, bool) {}

// wait is the select statement over real channels.
func wait(cases []Case) int {
	n := len(cases)
	waits := n == 0 || cases[n-1] != Default
	if !waits {
		n--
	}
	if waits && n == 1 {
		cases[0].do()
		return 0
	}
	if k := tryAll(cases[:n]); k != None {
		return k
	}
	// A default is taken only if no case is ready, all at one time: to have looked at one
	// after the other will do for one case, but not for several.
	if !waits && n < 2 {
		return None
	}
	reflected := make([]reflect.SelectCase, len(cases))
	for i, c := range cases {
		reflected[i] = c.reflected()
	}
	chosen, v, ok := reflect.Select(reflected)
	if chosen == n {
		return None
	}
	cases[chosen].finish(v, ok)
	return chosen
}

// tryAll does one of the cases that can be done at once, each as likely as any other, and
// returns its index, or None.
func tryAll(cases []Case) int {
	var few [8]int
	left := few[:0] // the cases that have not been tried
	for i := range cases {
		left = append(left, i)
	}
	for n := len(left); n > 0; n-- {
		i := rand.IntN(n)
		if k := left[i]; cases[k].try() {
			return k
		}
		left[i] = left[n-1]
	}
	return None
}

// checkCases panics where the statement would not compile.
func checkCases(cases []Case) {
	for i, c := range cases {
		if c == nil {
			panic("channel: Select of a nil Case: want OnReceive, OnSend or Default")
		}
		if c == Default && i != len(cases)-1 {
			panic("channel: Default is not the last case of a Select")
		}
	}
}
