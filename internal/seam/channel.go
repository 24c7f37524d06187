package seam

import "unsafe"

// A Chan is a real channel, as far as its state can be read. One that is received from also has
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
	// Value is what to send, or where to put what is received; OK, if it is not nil, is set to
	// whether that was sent.
	Value unsafe.Pointer
	OK    *bool
	// Copy copies a value of the channel's type.
	Copy func(to, from unsafe.Pointer)
}
