package burst

import (
	gocontext "context"
	"errors"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool/burst"
	"github.com/rouse-go/rouse/stress/subject"
)

type receiver struct {
	*burst.Receiver[*burstMessage]
	name  string
	waits atomic.Bool
}

// receive does the jobs that r receives, until the sender is closed. Now and then it gives up a wait,
// leaves and comes back as another receiver, or has a rival.
func (b *bursts) receive(r *receiver) {
	draws := b.x.Rand(r.name)
	r.waits.Store(true)
	m, err := b.givingUp(r) // nothing else ends this wait: no sender sends yet
	goOn := b.received(r, m, err, false)
	b.begun.Done()
	if b.count != nil && goOn {
		r.waits.Store(true)
		m, err = r.Receive() // a message of first
		goOn = b.received(r, m, err, true)
	}
	for goOn {
		r.waits.Store(true)
		patient := false // else it takes its message along, woken or not
		switch draws.IntN(8) {
		case 0:
			m, err = leaving(r)
		case 1:
			m, err = b.givingUp(r)
		case 2:
			goOn = b.rivalled(r)
			continue
		default:
			patient = true
			m, err = r.Receive()
		}
		goOn = b.received(r, m, err, patient)
	}
}

// received does the job that r has received, if any. It reports whether there may be more.
func (b *bursts) received(r *receiver, m *burstMessage, err error, patient bool) bool {
	r.waits.Store(false)
	if errors.Is(err, burst.ErrLeft) {
		r.Receiver, err = b.add(b.sender)
		if err == nil {
			return true
		}
	}
	switch {
	case errors.Is(err, burst.ErrClosed):
		return false
	case errors.Is(err, gocontext.Canceled):
		return true
	case err != nil:
		b.x.Fail(verdict.WrongResult, "%s: Receive: %v", r.name, err)
		return false
	case patient && m != nil && !m.woken.Load():
		b.x.Fail(verdict.WrongResult, "%s received %s before its wake", r.name, m.Name())
	}
	b.do(r, m)
	return true
}

// do does the job that r has received.
func (b *bursts) do(r *receiver, m *burstMessage) {
	if m == nil {
		b.x.Fail(verdict.WrongResult, "%s received nothing, without an error", r.name)
		return
	}
	m.Done()
	m.due.Done()
}

// rivalled receives, while another goroutine receives from the same receiver. One of the two may be
// refused. It reports whether there may be more.
func (b *bursts) rivalled(r *receiver) bool {
	var rival subject.Crew
	same, refused := r.Receiver, false
	rival.Start("rival of "+r.name, func() {
		switch m, err := same.Receive(); {
		case err == nil:
			b.do(r, m)
		case errors.Is(err, burst.ErrInUse):
			refused = true
		case !errors.Is(err, burst.ErrClosed) && !errors.Is(err, burst.ErrLeft):
			b.x.Fail(verdict.WrongResult, "rival of %s: Receive: %v", r.name, err)
		}
	})
	m, err := r.Receive()
	goOn := true
	if !errors.Is(err, burst.ErrInUse) {
		goOn = b.received(r, m, err, false) // before the rival's: a sender may wait for it
	}
	r.waits.Store(true)
	rival.Wait()
	if refused && errors.Is(err, burst.ErrInUse) {
		b.x.Fail(verdict.WrongResult, "%s and its rival were both refused: %v", r.name, err)
	}
	return goOn
}

// givingUp receives, while another goroutine ends the wait.
func (b *bursts) givingUp(r *receiver) (*burstMessage, error) {
	ctx, cancel := context.WithCancel(gocontext.Background())
	var canceller subject.Crew
	canceller.Start("canceller of "+r.name, cancel)
	defer canceller.Wait()
	return r.ReceiveContext(ctx)
}

// leaving receives, while another goroutine makes r leave.
func leaving(r *receiver) (*burstMessage, error) {
	var leaver subject.Crew
	leaver.Start("leaver for "+r.name, r.Leave)
	defer leaver.Wait()
	return r.Receive()
}
