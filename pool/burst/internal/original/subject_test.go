package original

import "github.com/rouse-go/rouse/pool/burst"

// A message is a payload: a box of Rust's.
type message struct{ number int }

// A subject is a burst pool: the original, or package burst.
type subject interface {
	// receiver returns another receiver. cameOut is called whenever it comes out of
	// its sleep, as far as that can be seen from outside.
	receiver(cameOut func()) (receiver, error)
	enqueue(m *message) (accepted bool)
	wake()
	close()
	listed() int // receivers that the sender knows
	// wakes reports whether a wake is to wake a receiver that sleeps: the original's
	// documentation says all of them, burst's those that have a message.
	wakes(hasMessage bool) bool
}

type receiver interface {
	receive() (*message, error)
	leave()
	// interrupt has its thread end, in the middle of its sleep if need be.
	interrupt()
	// kept is a message that the receiver's slot holds. The subject must be at rest.
	kept() *message
}

// original is the original.
type original struct{ *Sender[message] }

func newOriginal() subject { return original{newSender[message](newModelled())} }

func (s original) receiver(cameOut func()) (receiver, error) {
	r := s.NewReceiver()
	r.eventfd = turnstile{r.eventfd, cameOut}
	return originalReceiver{r}, nil
}

func (s original) enqueue(m *message) bool { return s.Enqueue(m) == nil }
func (s original) wake()                   { s.WakeAll() }
func (s original) close()                  { s.Close() }
func (s original) listed() int             { return len(s.workers) }
func (s original) wakes(bool) bool         { return true }

type originalReceiver struct{ *Receiver[message] }

func (r originalReceiver) receive() (*message, error) { return r.Recv() }
func (r originalReceiver) leave()                     {} // a Receiver has no drop
func (r originalReceiver) interrupt()                 {} // a fault of the plan does it
func (r originalReceiver) kept() *message             { return r.worker.slot.Load() }

// A turnstile is an eventfd that reports each return from a poll.
type turnstile struct {
	eventfd
	cameOut func()
}

func (t turnstile) poll() error {
	err := t.eventfd.poll()
	if err == nil {
		t.cameOut()
	}
	return err
}

// fixed is package burst.
type fixed struct{ *burst.Sender[*message] }

func newFixed() subject { return fixed{burst.NewSender[*message]()} }

func (s fixed) receiver(cameOut func()) (receiver, error) {
	r, err := s.NewReceiver()
	if err != nil {
		return nil, err
	}
	return fixedReceiver{r, cameOut}, nil
}

func (s fixed) enqueue(m *message) bool    { return s.Enqueue(m) == nil }
func (s fixed) wake()                      { s.Wake() }
func (s fixed) close()                     { s.Close() }
func (s fixed) listed() int                { return s.Receivers() }
func (s fixed) wakes(hasMessage bool) bool { return hasMessage }

type fixedReceiver struct {
	*burst.Receiver[*message]
	cameOut func()
}

func (r fixedReceiver) receive() (*message, error) {
	m, err := r.Receive()
	if err == nil {
		r.cameOut()
	}
	return m, err
}

func (r fixedReceiver) leave()         { r.Leave() }
func (r fixedReceiver) interrupt()     { r.Leave() }
func (r fixedReceiver) kept() *message { return nil } // it is the accounts that say
