package seam

import "unsafe"

// A Chan is the readable state of a real channel. A channel that is received from also has
// TryReceive() bool.
type Chan interface {
	Len() int
	Cap() int
}

// A Case is one communication that a task is ready for.
type Case struct {
	Chan Chan
	X    unsafe.Pointer // the channel itself; nil is never ready
	Send bool           // otherwise it receives
	// Value points to the value to send, or to where to put the received one. OK, if not nil, is set
	// to whether the received value was sent.
	Value unsafe.Pointer
	OK    *bool
	// Copy copies a value of the channel's type.
	Copy func(to, from unsafe.Pointer)
}
