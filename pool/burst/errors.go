package burst

import "errors"

// Errors to be compared with errors.Is.
var (
	// ErrBusy: no receiver is waiting; the message is still the caller's.
	ErrBusy = errors.New("burst: no receiver is waiting")
	// ErrClosed: the Sender is closed.
	ErrClosed = errors.New("burst: the sender is closed")
	// ErrLeft: the Receiver has left its Sender.
	ErrLeft = errors.New("burst: the receiver has left")
	// ErrInUse: another goroutine is receiving from the same Receiver.
	ErrInUse = errors.New("burst: another goroutine is receiving from this receiver: want one receiver for each")
)
