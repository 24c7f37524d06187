//go:build chaos

package original

import (
	"fmt"
	stdsync "sync"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// A scene is a burst pool, the threads that receive from it, and what became of its
// messages. The task that makes it is the sender.
type scene struct {
	subject
	engine    *control.Engine
	threads   []*thread
	over      sync.WaitGroup // threads that have not ended
	delivered sync.WaitGroup // messages that were accepted and not received

	herd bool // threads that come out of their sleep for nothing are counted

	mu       stdsync.Mutex // not the drop-in: what the test writes down is no step
	messages [8]account    // by number
	gone     int           // threads that have ended
	woken    bool          // since the last message was received
	idleOuts int           // how often threads came out of their sleep for nothing a second time, since then
	closed   bool
}

// An account is what became of a message.
type account struct {
	accepted, flushed bool // flushed: its wake has begun
	received          int
}

// A thread has a receiver.
type thread struct {
	receiver
	number int
	outs   int  // how often it came out of its sleep
	idle   bool // the last time has not brought a message yet

	messages int // received
	leaving  bool
	died     bool
}

// newThread returns a thread that is to run, or nil if it can have no receiver.
func (s *scene) newThread() *thread {
	t := &thread{number: len(s.threads)}
	r, err := s.receiver(func() { s.cameOut(t) })
	if err != nil {
		return nil
	}
	t.receiver = r
	s.threads = append(s.threads, t)
	return t
}

// start runs a thread.
func (s *scene) start(t *thread, f func(t *thread)) {
	s.background(func() {
		f(t)
		s.mu.Lock()
		s.gone++
		s.mu.Unlock()
	})
}

// background runs f as a task that end waits for.
func (s *scene) background(f func()) {
	s.over.Add(1)
	s.engine.Go(func() {
		defer s.over.Done()
		f()
	})
}

// serve receives until that fails.
func (s *scene) serve(t *thread) {
	for {
		m, err := t.receive()
		if err != nil {
			return
		}
		s.got(t, m)
	}
}

// mortal is serve by a thread that a panic ends, and nothing else: as in Rust.
func (s *scene) mortal(t *thread) {
	defer t.leave()
	s.survive(t, s.serve)
}

// stubborn is serve by a thread that continues after a panic.
func (s *scene) stubborn(t *thread) {
	for s.survive(t, s.serve) {
		t.died = false
	}
}

// survive reports whether f has panicked.
func (s *scene) survive(t *thread, f func(t *thread)) (panicked bool) {
	defer func() {
		v := recover()
		if hooks.Unwinding(v) {
			panic(v)
		}
		if v != nil {
			panicked, t.died = true, true
		}
	}()
	f(t)
	return false
}

// interrupt ends a thread in the middle of its sleep, if need be.
func (s *scene) interrupt(t *thread) {
	s.mu.Lock()
	t.leaving = true
	s.mu.Unlock()
	t.receiver.interrupt()
}

// serving starts n threads, one after the other, and returns when all of them wait.
func (s *scene) serving(n int, how func(t *thread)) {
	for range n {
		s.start(s.newThread(), how)
		s.settle()
	}
}

// settle returns when no other task can continue.
func (s *scene) settle() { time.Sleep(1) }

func (s *scene) send(number int) {
	s.delivered.Add(1) // before it can be received
	if !s.enqueue(&message{number}) {
		s.delivered.Done()
		return
	}
	s.mu.Lock()
	s.messages[number].accepted = true
	s.mu.Unlock()
}

func (s *scene) flush() {
	s.mu.Lock()
	for i := range s.messages {
		s.messages[i].flushed = s.messages[i].accepted
	}
	s.woken, s.idleOuts = true, 0
	s.mu.Unlock()
	s.wake()
}

// end closes the sender and waits for the threads.
func (s *scene) end() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.close()
	s.over.Wait()
}

// A wake may bring a bystander out of its sleep, once. One that has gone back and come
// out again, and another time, spins.
const spins = 2

// cameOut is called by a thread that has come out of its sleep, for a message or not.
func (s *scene) cameOut(t *thread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.outs++
	if s.herd && t.idle && s.woken {
		if s.idleOuts++; s.idleOuts == spins {
			s.engine.Fail(verdict.Spin, fmt.Sprintf("threads that a wake was not for have gone back to sleep and come out again %d times", s.idleOuts))
		}
	}
	t.idle = true
}

// got is called by a thread that has received a message.
func (s *scene) got(t *thread, m *message) {
	defer s.delivered.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.idle, s.woken = false, false
	t.messages++
	s.messages[m.number].received++
	if s.messages[m.number].flushed || s.closed || t.leaving { // a receiver that leaves takes its message along
		return
	}
	summary := fmt.Sprintf("message %d was received, and nobody has woken its receiver for it", m.number)
	for i, a := range s.messages {
		if a.flushed && a.received == 0 {
			summary += fmt.Sprintf("; message %d, whose wake is over, was not", i)
		}
	}
	s.engine.Fail(verdict.Invariant, summary)
}

// judge is asked when all other tasks have ended.
func (s *scene) judge() {
	for _, t := range s.threads {
		if m := t.kept(); m != nil && t.died {
			s.engine.Fail(verdict.LostTask, fmt.Sprintf("message %d has leaked: it lies in the slot of thread %d, which is dead", m.number, t.number))
			return
		}
	}
	for i, a := range s.messages {
		switch {
		case a.accepted && a.received == 0:
			s.engine.Fail(verdict.LostTask, fmt.Sprintf("message %d was accepted and never received", i))
		case a.received > 1:
			s.engine.Fail(verdict.DuplicateTask, fmt.Sprintf("message %d was received %d times", i, a.received))
		case a.received > 0 && !a.accepted:
			s.engine.Fail(verdict.WrongResult, fmt.Sprintf("message %d was refused and received", i))
		}
	}
}

// stuck names a stuck execution in words that do not change with the source.
func (s *scene) stuck(r control.Result) (verdict.Verdict, string) {
	summary := fmt.Sprintf("%d of %d threads wait for good", len(s.threads)-s.gone, len(s.threads))
	if s.closed {
		summary = "the sender is closed, and " + summary
	}
	return r.Verdict, summary
}
