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

// asItWas is the original.
type asItWas struct{ *Sender[message] }

func newAsItWas() subject { return asItWas{newSender[message](newModelled())} }

func (s asItWas) receiver(cameOut func()) (receiver, error) {
	r := s.NewReceiver()
	r.eventfd = turnstile{r.eventfd, cameOut}
	return asItWasReceiver{r}, nil
}

func (s asItWas) enqueue(m *message) bool { return s.Enqueue(m) == nil }
func (s asItWas) wake()                   { s.WakeAll() }
func (s asItWas) close()                  { s.Close() }
func (s asItWas) listed() int             { return len(s.workers) }
func (s asItWas) wakes(bool) bool         { return true }

type asItWasReceiver struct{ *Receiver[message] }

func (r asItWasReceiver) receive() (*message, error) { return r.Recv() }
func (r asItWasReceiver) leave()                     {} // a Receiver has no drop
func (r asItWasReceiver) interrupt()                 {} // a fault of the plan does it
func (r asItWasReceiver) kept() *message             { return r.worker.slot.Load() }

// A turnstile is an eventfd that says who comes out of a poll.
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

// mended is package burst.
type mended struct{ *burst.Sender[*message] }

func newMended() subject { return mended{burst.NewSender[*message]()} }

func (s mended) receiver(cameOut func()) (receiver, error) {
	r, err := s.NewReceiver()
	if err != nil {
		return nil, err
	}
	return mendedReceiver{r, cameOut}, nil
}

func (s mended) enqueue(m *message) bool    { return s.Enqueue(m) == nil }
func (s mended) wake()                      { s.Wake() }
func (s mended) close()                     { s.Close() }
func (s mended) listed() int                { return s.Receivers() }
func (s mended) wakes(hasMessage bool) bool { return hasMessage }

type mendedReceiver struct {
	*burst.Receiver[*message]
	cameOut func()
}

func (r mendedReceiver) receive() (*message, error) {
	m, err := r.Receive()
	if err == nil {
		r.cameOut()
	}
	return m, err
}

func (r mendedReceiver) leave()         { r.Leave() }
func (r mendedReceiver) interrupt()     { r.Leave() }
func (r mendedReceiver) kept() *message { return nil } // it is the accounts that say
