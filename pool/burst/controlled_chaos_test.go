//go:build chaos

package burst_test

import (
	"context"
	"errors"
	"flag"
	stdsync "sync"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	hookscontext "github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/pool/burst"
)

// A scene is a sender and what became of its messages.
type scene struct {
	*burst.Sender[int]
	t         interface{ Errorf(string, ...any) }
	kind      *kind
	receivers []*burst.Receiver[int]
	// receiving: the tasks that receive are about to. Unless they are preempted, they wait
	// when this is over.
	receiving sync.WaitGroup

	mu                 stdsync.Mutex // not the drop-in: what the test writes down is no step
	accepted, received map[int]int
	flushed            map[int]bool // its wake has begun
}

func newScene(t interface{ Errorf(string, ...any) }, k kind) *scene {
	return &scene{Sender: burst.NewSender[int](), t: t, kind: &k, accepted: map[int]int{}, received: map[int]int{}, flushed: map[int]bool{}}
}

func (s *scene) receiver() *burst.Receiver[int] {
	r, err := newReceiver(s.kind, s.Sender)
	if err != nil {
		panic(err)
	}
	s.receiving.Add(1)
	s.receivers = append(s.receivers, r)
	return r
}

// serve receives until that fails, and returns why.
func (s *scene) serve(receive func() (int, error)) error {
	for {
		v, err := receive()
		if err != nil {
			return err
		}
		s.got(v)
	}
}

func (s *scene) got(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received[v]++
}

func (s *scene) send(v int) {
	if s.Enqueue(v) == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.accepted[v]++
	}
}

func (s *scene) wake() {
	s.mu.Lock()
	for v := range s.accepted {
		s.flushed[v] = true
	}
	s.mu.Unlock()
	s.Wake()
}

// begun reports whether the wake for v has begun.
func (s *scene) begun(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flushed[v]
}

// judge is asked when all other tasks have ended.
func (s *scene) judge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for v, n := range s.accepted {
		if n != s.received[v] {
			s.t.Errorf("message %d was accepted %d times and received %d times", v, n, s.received[v])
		}
	}
	for v := range s.received {
		if s.accepted[v] == 0 {
			s.t.Errorf("message %d was refused and received", v)
		}
	}
	for _, r := range s.receivers {
		if r.Open() {
			s.t.Errorf("a descriptor is still open")
		}
	}
}

// Programs whose messages must all arrive, whose goroutines must all end, and which close
// all descriptors.
var programs = map[string]func(s *scene, start func(func())){
	"two bursts without a pause": func(s *scene, start func(func())) {
		for range 2 {
			r := s.receiver()
			start(func() { s.receiving.Done(); s.serve(r.Receive) })
		}
		s.receiving.Wait()
		for v := range 4 {
			s.send(v)
			s.wake()
		}
		s.Close()
	},
	"closed without a wake": func(s *scene, start func(func())) {
		for range 2 {
			r := s.receiver()
			start(func() { s.receiving.Done(); s.serve(r.Receive) })
		}
		s.receiving.Wait()
		s.send(0)
		s.wake()
		s.send(1)
		s.Close()
	},
	"a receiver that leaves": func(s *scene, start func(func())) {
		a, b := s.receiver(), s.receiver()
		start(func() {
			s.receiving.Done()
			if err := s.serve(a.Receive); !errors.Is(err, burst.ErrLeft) && !errors.Is(err, burst.ErrClosed) {
				s.t.Errorf("the leaver got %v", err)
			}
		})
		start(func() { s.receiving.Done(); s.serve(b.Receive) })
		s.receiving.Wait()
		start(a.Leave)
		s.send(0)
		s.send(1)
		s.wake()
		s.Close()
	},
	"a receiver that gives up": func(s *scene, start func(func())) {
		r := s.receiver()
		ctx, cancel := hookscontext.WithCancel(context.Background())
		start(func() {
			s.receiving.Done()
			err := s.serve(func() (int, error) { return r.ReceiveContext(ctx) })
			if !errors.Is(err, context.Canceled) && !errors.Is(err, burst.ErrClosed) {
				s.t.Errorf("it got %v", err)
			}
			s.serve(r.Receive) // another wait, which that context is nothing to
		})
		s.receiving.Wait()
		start(cancel)
		s.send(0)
		s.wake()
		s.send(1)
		s.wake()
		s.Close()
	},
	"two senders": func(s *scene, start func(func())) {
		r := s.receiver()
		start(func() { s.receiving.Done(); s.serve(r.Receive) })
		s.receiving.Wait()
		start(func() {
			s.send(0)
			s.wake()
		})
		s.send(1)
		s.wake()
		s.Close()
	},
	"left and woken at once": leftAndWoken,
	"every end at once":      everyEnd,
}

// leftAndWoken has a wait that two end at once.
func leftAndWoken(s *scene, start func(func())) {
	r := s.receiver()
	start(func() { s.receiving.Done(); s.serve(r.Receive) })
	s.receiving.Wait()
	s.send(0)
	start(r.Leave)
	s.wake()
}

// everyEnd is ended in all ways at once.
func everyEnd(s *scene, start func(func())) {
	r := s.receiver()
	ctx, cancel := hookscontext.WithCancel(context.Background())
	start(func() {
		s.receiving.Done()
		s.serve(func() (int, error) { return r.ReceiveContext(ctx) })
	})
	s.receiving.Wait()
	start(cancel)
	start(r.Leave)
	s.send(0)
	s.wake()
	s.Close()
}

// run runs a program to its end, and judges what came of it.
func (s *scene) run(program func(s *scene, start func(func())), run func(func())) {
	var tasks sync.WaitGroup
	program(s, func(f func()) {
		tasks.Add(1)
		run(func() {
			defer tasks.Done()
			f()
		})
	})
	tasks.Wait()
	s.judge()
}

func TestUnderControl(t *testing.T) {
	for name, program := range programs {
		for _, k := range kinds() {
			t.Run(name+", "+k.name, func(t *testing.T) {
				chaos.Explore(t, func(c *chaos.C) { newScene(c, k).run(program, c.Go) }, chaos.WithExecutions(300))
			})
		}
	}
}

// Each program exhaustively, at most one preemption, with and without a wait that ends for
// no reason. (go test -tags chaos -run Exhaustively -v ./pool/burst -preemptions 2, which
// takes minutes)
func TestExhaustively(t *testing.T) {
	spurious := plan.Plan{Faults: []plan.Fault{{At: "sync/cond-wait", Kind: hooks.SpuriousWakes, Count: 1}}}
	for name, program := range programs {
		for _, k := range kinds() {
			t.Run(name+", "+k.name, func(t *testing.T) {
				for _, p := range []plan.Plan{{}, spurious} {
					n, failure := exhaust(t, k, p, bound(), program)
					if failure != "" {
						t.Errorf("execution %d: %s", n, failure)
					}
					t.Logf("%d schedules", n)
				}
			})
		}
	}
}

// Catches: a second token for a wait, which is then one for a closed descriptor. It takes
// two preemptions: when the leaver has woken the receiver, and when that has been notified
// by the wake.
func TestATokenForEachWait(t *testing.T) { eachKind(t, testATokenForEachWait) }

func testATokenForEachWait(t *testing.T, k *kind) {
	if n, failure := exhaust(t, *k, plan.Plan{}, bound()+1, leftAndWoken); failure != "" {
		t.Errorf("execution %d: %s", n, failure)
	}
}

var preemptions = flag.Int("preemptions", 1, "bound of TestExhaustively")

// bound is less where a switch costs ten times as much.
func bound() int {
	if racing.Detector {
		return *preemptions - 1
	}
	return *preemptions
}

// complaints are an Errorf that remembers the first.
type complaints struct{ first string }

func (c *complaints) Errorf(format string, args ...any) {
	if c.first == "" {
		c.first = format
	}
}

func exhaust(t *testing.T, k kind, p plan.Plan, bound int, program func(s *scene, start func(func()))) (n int, failure string) {
	t.Helper()
	e, err := control.New(control.Options{Strategy: strategy.DFS(bound), Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for ; ; n++ {
		var wrong complaints
		switch r, more := e.Run(uint64(n), func() { newScene(&wrong, k).run(program, e.Go) }); {
		case !more:
			return n, ""
		case r.Verdict != verdict.Pass:
			return n, string(r.Verdict) + ": " + r.Summary
		case wrong.first != "":
			return n, wrong.first
		}
	}
}

// The positive control: a wakeup that is dropped leaves its receiver asleep with the message.
func TestADroppedWakeIsSeen(t *testing.T) { eachKind(t, testADroppedWakeIsSeen) }

func testADroppedWakeIsSeen(t *testing.T, k *kind) {
	drop := plan.Plan{Faults: []plan.Fault{{At: "burst/wake-notify", Kind: hooks.Drops, Count: 1}}}
	_, failure := exhaust(t, *k, drop, bound(), func(s *scene, start func(func())) {
		r := s.receiver()
		start(func() {
			s.receiving.Done()
			if v, err := r.Receive(); err == nil {
				s.got(v)
			}
		})
		s.receiving.Wait()
		s.send(0)
		s.wake()
	})
	if failure == "" {
		t.Error("the defect was not detected")
	}
}

// Another: a receiver may not have a message that it was not woken for.
func TestNothingComesBeforeItsWake(t *testing.T) { eachKind(t, testNothingComesBeforeItsWake) }

func testNothingComesBeforeItsWake(t *testing.T, k *kind) {
	_, failure := exhaust(t, *k, plan.Plan{}, bound(), func(s *scene, start func(func())) {
		for range 2 {
			r := s.receiver()
			start(func() {
				s.receiving.Done()
				for {
					v, err := r.Receive()
					if err != nil {
						return
					}
					s.got(v)
					if !s.begun(v) {
						s.t.Errorf("a message was received before its wake")
					}
				}
			})
		}
		s.receiving.Wait()
		for v := range 3 {
			s.send(v)
			s.wake()
		}
		s.Close()
	})
	if failure != "" {
		t.Error(failure)
	}
}

// TestARefusedMessageTakesNoTurn: receiver 2, the only one that waits, gives up while Enqueue looks for it.
// If the message is refused, the next one still goes to receiver 1, the one after the last that got one.
func TestARefusedMessageTakesNoTurn(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		s := burst.NewSender[int]()
		var receivers [3]*burst.Receiver[int]
		var got [3]int
		var ended sync.WaitGroup
		receive := func(i int, ctx context.Context) {
			ended.Add(1)
			go hooks.Task(func() {
				defer ended.Done()
				if v, err := receivers[i].ReceiveContext(ctx); err == nil {
					got[i] = v
				}
			})()
		}
		enqueue := func(waiting, v int) error {
			for s.Waiting() < waiting {
				hooks.Gosched()
			}
			return s.Enqueue(v)
		}
		for i := range receivers {
			receivers[i], _ = s.NewReceiver() // the sender is open
		}

		receive(0, context.Background())
		if err := enqueue(1, 1); err != nil {
			c.Fatalf("Enqueue while a receiver waits: %v", err)
		}
		s.Wake()
		ended.Wait()

		ctx, end := hookscontext.WithCancel(context.Background())
		receive(2, ctx)
		for s.Waiting() < 1 {
			hooks.Gosched()
		}
		ended.Add(1)
		go hooks.Task(func() { defer ended.Done(); end() })()
		refused := s.Enqueue(2) != nil
		s.Wake()
		ended.Wait()

		if refused {
			for i := range receivers {
				receive(i, context.Background())
			}
			if err := enqueue(len(receivers), 3); err != nil {
				c.Fatalf("Enqueue while all receivers wait: %v", err)
			}
			s.Wake()
		}
		s.Close()
		ended.Wait()
		if want := [3]int{1, 3, 0}; refused && got != want {
			c.Errorf("the receivers got %v last, want %v", got, want)
		}
	}, chaos.WithExecutions(2000))
}
