package burst

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool/internal/contexts"
)

// A Receiver waits for the messages of one Sender, whose NewReceiver or NewThreadReceiver makes it.
// It is for one goroutine at a time; Leave may be called by any.
type Receiver[T any] struct {
	sender *Sender[T]
	thread *eventfd      // what it sleeps on if it is a thread receiver; else cond
	state  atomic.Uint32 // a state; written under mu

	mu      sync.Mutex
	cond    sync.Cond
	retired bool // thread is closed
	message T
	over    error  // ErrLeft or ErrClosed: it gets nothing any more
	wait    uint64 // number of the wait under way, or of the last
	givenUp bool   // that one is to end, if there is no message
}

// A state is what a receiver is doing.
//
//	busy -R1-> waiting -E2-> filled -W2-> woken -R3-> busy
//
// A wait that is given up, or has been overtaken by Close, goes from each of them back to busy,
// with the message if there is one.
type state = uint32

const (
	busy    state = iota // not receiving: cannot be given a message
	waiting              // asleep, or about to sleep
	filled               // has a message, and sleeps until it is woken
	woken                // has a message and is to take it
)

// fill is E2: it gives a message to a receiver that waits. First the message, then the state that
// shows it.
func (r *Receiver[T]) fill(v T) bool {
	if r.state.Load() != waiting {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Load() != waiting {
		return false
	}
	r.message = v
	r.state.Store(filled)
	r.sender.waiting.Add(-1)
	return true
}

// asleep reports, under mu, whether a wait is under way that has not been ended.
func (r *Receiver[T]) asleep() bool {
	s := r.state.Load()
	return s != busy && s != woken && r.over == nil && !r.givenUp
}

// wake is W2. It reports whether the receiver had to be woken.
func (r *Receiver[T]) wake() bool {
	r.mu.Lock()
	if r.state.Load() != filled {
		r.mu.Unlock()
		return false
	}
	ends := r.over == nil && !r.givenUp // T1
	r.state.Store(woken)
	if r.thread != nil {
		r.mu.Unlock()
		if ends && notify(pointWakeNotify) > 0 { // a thread takes two tokens for one
			r.thread.signal() // T2
		}
		return true
	}
	defer r.mu.Unlock()
	for range notify(pointWakeNotify) {
		r.cond.Signal()
		if !hooks.Enabled {
			break
		}
	}
	return true
}

// orphan is D2 and L1: the receiver gets no more messages. It takes one that it has at once.
func (r *Receiver[T]) orphan(why error) {
	r.mu.Lock()
	ends := r.thread != nil && r.asleep() // T1
	if r.over == nil {
		r.over = why
	}
	if r.thread == nil {
		r.cond.Signal()
	} else if r.state.Load() == busy {
		r.retire()
	}
	r.unlock(ends)
}

// Receive blocks until a message has been enqueued for this receiver and the sender's Wake has been
// called, and returns the message. It returns ErrClosed once the sender is closed, and ErrLeft
// after Leave; but a message that it was given before, it returns first. If another goroutine is
// receiving from r it returns ErrInUse.
func (r *Receiver[T]) Receive() (T, error) { return r.receive(context.Background()) }

// ReceiveContext is Receive until ctx ends: then it returns ctx.Err(), or the message that it has
// been given already, woken or not. It allocates.
func (r *Receiver[T]) ReceiveContext(ctx context.Context) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	return r.receive(ctx)
}

// receive is Receive until ctx ends.
func (r *Receiver[T]) receive(ctx context.Context) (v T, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Load() != busy {
		return v, ErrInUse
	}
	r.wait++
	r.givenUp = false
	if ctx.Done() != nil {
		wait := r.wait
		defer contexts.AfterFunc(ctx, func() { r.giveUp(wait) })()
	}
	r.state.Store(waiting) // R1
	r.sender.waiting.Add(1)
	at(pointReceiveWaits)
	for r.asleep() { // R2
		if r.thread != nil {
			r.park()
		} else {
			r.cond.Wait()
		}
	}
	at(pointReceiveTake)
	was := r.state.Swap(busy) // R3
	if r.over != nil {
		r.retire()
	}
	if was == waiting {
		r.sender.waiting.Add(-1)
		if r.over != nil {
			return v, r.over
		}
		return v, ctx.Err()
	}
	var none T
	v, r.message = r.message, none
	return v, nil
}

// giveUp ends a wait, if it is still under way.
func (r *Receiver[T]) giveUp(wait uint64) {
	r.mu.Lock()
	ends := r.thread != nil && r.wait == wait && r.asleep() // T1
	if r.wait == wait {
		r.givenUp = true
		r.cond.Signal()
	}
	r.unlock(ends)
}

// Leave takes r out of its sender's receivers. A goroutine that waits in Receive returns: with
// ErrLeft, or with the message that it has been given. It may be called several times, and after
// the sender's Close.
func (r *Receiver[T]) Leave() {
	r.orphan(ErrLeft) // L1
	at(pointLeaveSaid)
	r.sender.remove(r) // L2
}
