//go:build chaos

package original

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// A defect of the original, and a program that shows it. Package burst runs the same
// program, and passes.
type defect struct {
	name    string // its number, and what recordings are called by
	what    string
	program func(s *scene)
	plan    plan.Plan // of the original

	verdict verdict.Verdict
	summary string // part of it: other defects may have the same verdict
	// model is how many steps a model checker's shortest counterexample had; 0: there
	// was none. It counted E2 and E3 as one, and R2 only when it lets its thread go.
	model int
}

// interrupted is a signal that hits a poll.
var interrupted = plan.Plan{Faults: []plan.Fault{{At: "burst-original/poll", Kind: hooks.Fails, Count: 1}}}

// The defects, in the order of their numbers. BP-10 is native: eventfd_linux_test.go.
var defects = []defect{
	{
		name: "BP-1", what: "a state says that there is a payload before it is there: the receiver panics",
		program: twoBursts, verdict: verdict.Panicked, summary: "recv: the slot is empty", model: 10,
	},
	{
		name: "BP-2", what: "one receiver takes another's token: a receiver runs without its wake, and one that is woken waits",
		program: twoBursts, verdict: verdict.Invariant, summary: "; message 0, whose wake is over, was not", model: 12,
	},
	{
		name: "BP-3", what: "closing overwrites the state of a receiver that has a payload",
		program: func(s *scene) {
			s.serving(1, s.serve)
			s.send(0)
			s.flush()
			s.end()
			s.judge()
		},
		verdict: verdict.LostTask, summary: "message 0 was accepted and never received", model: 8,
	},
	{
		name: "BP-3-flushed", what: "the same with each of two messages flushed: none arrives",
		program: func(s *scene) {
			s.serving(2, s.serve)
			s.send(0)
			s.flush()
			s.send(1)
			s.flush()
			s.end()
			if s.messages[0].received+s.messages[1].received == 0 && s.messages[1].accepted {
				s.engine.Fail(verdict.LostTask, "none of 2 messages was received")
			}
			s.judge()
		},
		verdict: verdict.LostTask, summary: "none of 2 messages was received",
	},
	{
		name: "BP-4", what: "a payload in the slot of a receiver that is gone is never given back",
		program: func(s *scene) {
			s.serving(2, s.mortal)
			s.send(0)
			s.flush()
			s.send(1)
			s.flush()
			s.settle()
			s.end()
			s.judge()
		},
		verdict: verdict.LostTask, summary: "it lies in the slot of thread",
	},
	{
		name: "BP-5", what: "the one token of closing is taken by a receiver that has a payload: the others sleep on",
		program: func(s *scene) { closedUnflushed(s, 3) },
		verdict: verdict.Deadlock, summary: "the sender is closed", model: 22,
	},
	{
		name: "BP-5-two", what: "the same with two receivers",
		program: func(s *scene) { closedUnflushed(s, 2) },
		verdict: verdict.Deadlock, summary: "the sender is closed",
	},
	{
		name: "BP-6", what: "a receiver that has died (a signal: EINTR) gets a message and a token: the others poll for ever",
		program: func(s *scene) {
			s.serving(2, s.mortal)
			s.background(func() { s.interrupt(s.threads[0]) })
			s.send(0)
			s.flush()
			s.delivered.Wait()
			s.end()
			s.judge()
		},
		plan: interrupted, verdict: verdict.Livelock,
	},
	{
		name: "BP-7", what: "receivers that have left stay in the sender's list",
		program: comeAndGo, verdict: verdict.MemoryGrowth,
	},
	{
		name: "BP-8", what: "a waiting receiver polls until a token's receiver has taken it",
		program: herd, verdict: verdict.Spin,
	},
	{
		name: "BP-9", what: "wake_all without a message wakes no receiver",
		program: func(s *scene) { wakeAll(s, false) },
		verdict: verdict.Invariant, summary: "a wake has left",
	},
	{
		name: "BP-9-message", what: "wake_all wakes one, which takes the token before the others look",
		program: func(s *scene) { wakeAll(s, true) },
		verdict: verdict.Invariant, summary: "a wake has left",
	},
	{
		name: "BP-11", what: "enqueue after closing panics",
		program: func(s *scene) {
			s.serving(1, s.serve)
			s.end()
			s.send(0)
			s.judge()
		},
		verdict: verdict.Panicked, summary: "enqueue: bad state 3",
	},
	{
		name: "BP-11-receiver", what: "a receiver made after closing is never notified, and polls for ever",
		program: func(s *scene) {
			s.end()
			if t := s.newThread(); t != nil {
				s.start(t, s.serve)
			}
			s.over.Wait()
			s.judge()
		},
		verdict: verdict.Livelock, summary: "the sender is closed",
	},
	{
		name: "BP-12", what: "a receiver that continues after BP-1 waits with a full slot: the sender panics",
		program: func(s *scene) {
			s.serving(2, s.stubborn)
			s.send(0)
			s.flush()
			s.send(1)
			s.settle()
			s.send(2)
			s.send(3)
			s.end()
			s.judge()
		},
		verdict: verdict.Panicked, summary: "enqueue: the slot is not empty",
	},
}

// twoBursts is a burst behind the other, without a pause.
func twoBursts(s *scene) {
	s.serving(2, s.serve)
	s.send(0)
	s.flush()
	s.send(1)
	s.settle()
	s.flush()
	s.settle()
	s.end()
	s.judge()
}

// closedUnflushed closes with a message that was never flushed.
func closedUnflushed(s *scene, receivers int) {
	s.serving(receivers, s.serve)
	s.send(0)
	s.flush()
	s.send(1)
	s.end()
	s.judge()
}

// herd is a message for one of three.
func herd(s *scene) {
	s.herd = true
	s.serving(3, s.serve)
	s.send(0)
	s.flush()
	s.delivered.Wait()
	s.end()
	s.judge()
}

// comers is how many receivers comeAndGo has.
const comers = 3

// comeAndGo has one receiver at a time, which leaves when it has a message.
func comeAndGo(s *scene) {
	for i := range comers {
		s.start(s.newThread(), func(t *thread) {
			if m, err := t.receive(); err == nil {
				s.got(t, m)
			}
			t.leave()
		})
		s.settle()
		s.send(i)
		s.flush()
		s.settle()
	}
	s.mu.Lock()
	here := comers - s.gone
	s.mu.Unlock()
	if n := s.listed(); n > here {
		s.engine.Fail(verdict.MemoryGrowth, fmt.Sprintf("%d receivers are here, and the sender lists and searches %d", here, n))
	}
	s.end()
	s.judge()
}

// wakeAll wakes two threads that sleep, one of which may have a message.
func wakeAll(s *scene, message bool) {
	s.serving(2, s.serve)
	if message {
		s.send(0)
	}
	s.mu.Lock()
	for _, t := range s.threads {
		t.outs = 0
	}
	s.mu.Unlock()
	s.flush()
	s.settle()
	s.mu.Lock()
	for _, t := range s.threads {
		if t.outs == 0 && s.wakes(message && t.number == 0) {
			s.engine.Fail(verdict.Invariant, "a wake has left a receiver asleep")
		}
	}
	s.mu.Unlock()
	s.end()
	s.judge()
}
