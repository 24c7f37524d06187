package burst_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool/burst"
)

// A result is what a Receive came to.
type result struct {
	v   int
	err error
}

// receiving calls f, which receives, in a goroutine, and returns once one more receiver
// waits than before.
func receiving(s *burst.Sender[int], f func() (int, error)) <-chan result {
	results, before := make(chan result, 1), s.Waiting()
	go func() {
		v, err := f()
		results <- result{v, err}
	}()
	for s.Waiting() == before {
		runtime.Gosched()
	}
	return results
}

func want(t *testing.T, what string, results <-chan result, v int, err error) {
	t.Helper()
	if r := <-results; r.v != v || !errors.Is(r.err, err) {
		t.Errorf("%s: %d, %v; want %d, %v", what, r.v, r.err, v, err)
	}
}

func enqueue(t *testing.T, s *burst.Sender[int], v int, err error) {
	t.Helper()
	if got := s.Enqueue(v); !errors.Is(got, err) {
		t.Errorf("Enqueue(%d): %v, want %v", v, got, err)
	}
}

// Catches: a message that is taken though no receiver waits, one that is received before
// the wake, and a wake that forgets some, or counts others.
func TestABurst(t *testing.T) { eachKind(t, testABurst) }

func testABurst(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	enqueue(t, s, 1, burst.ErrBusy) // there is no receiver at all
	a, b := k.receiver(t, s), k.receiver(t, s)
	enqueue(t, s, 1, burst.ErrBusy) // none of them waits
	ra := receiving(s, a.Receive)
	rb := receiving(s, b.Receive)
	enqueue(t, s, 1, nil)
	enqueue(t, s, 2, nil)
	enqueue(t, s, 3, burst.ErrBusy) // they have one each
	if n := s.Waiting(); n != 0 {
		t.Errorf("%d wait for a message, want none", n)
	}
	for range 100 {
		runtime.Gosched()
	}
	if len(ra)+len(rb) > 0 {
		t.Error("a message was received before the wake")
	}
	if n := s.Wake(); n != 2 {
		t.Errorf("Wake woke %d, want 2", n)
	}
	want(t, "a", ra, 1, nil)
	want(t, "b", rb, 2, nil)
	if n := s.Wake(); n != 0 {
		t.Errorf("a second Wake woke %d, want none", n)
	}
}

// Catches: a favourite, while others wait.
func TestInTurn(t *testing.T) { eachKind(t, testInTurn) }

func testInTurn(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	a, b, c := k.receiver(t, s), k.receiver(t, s), k.receiver(t, s)
	ra, rb, rc := receiving(s, a.Receive), receiving(s, b.Receive), receiving(s, c.Receive)
	enqueue(t, s, 1, nil)
	s.Wake()
	want(t, "a", ra, 1, nil)
	ra = receiving(s, a.Receive) // it waits again, but it is not its turn
	enqueue(t, s, 2, nil)
	enqueue(t, s, 3, nil)
	enqueue(t, s, 4, nil)
	s.Wake()
	want(t, "b", rb, 2, nil)
	want(t, "c", rc, 3, nil)
	want(t, "a", ra, 4, nil)
}

// Catches: messages that are lost when the sender closes, woken or not, and receivers
// that sleep on.
func TestClose(t *testing.T) { eachKind(t, testClose) }

func testClose(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	a, b, c := k.receiver(t, s), k.receiver(t, s), k.receiver(t, s)
	ra, rb, rc := receiving(s, a.Receive), receiving(s, b.Receive), receiving(s, c.Receive)
	enqueue(t, s, 1, nil)
	s.Wake()
	enqueue(t, s, 2, nil)
	s.Close()
	want(t, "a", ra, 1, nil)
	want(t, "b", rb, 2, nil)
	want(t, "c", rc, 0, burst.ErrClosed)
	enqueue(t, s, 3, burst.ErrClosed)
	if _, err := newReceiver(k, s); !errors.Is(err, burst.ErrClosed) {
		t.Errorf("another receiver: %v, want %v", err, burst.ErrClosed)
	}
	if _, err := a.Receive(); !errors.Is(err, burst.ErrClosed) {
		t.Errorf("Receive: %v, want %v", err, burst.ErrClosed)
	}
	if n := s.Wake(); n != 0 {
		t.Errorf("Wake after Close woke %d", n)
	}
	s.Close()
	a.Leave()
	if _, err := a.Receive(); !errors.Is(err, burst.ErrClosed) {
		t.Errorf("Receive after Close and Leave: %v, want what came first, %v", err, burst.ErrClosed)
	}
}

// Catches: messages for receivers that have left, and lost messages of receivers that leave.
func TestLeave(t *testing.T) { eachKind(t, testLeave) }

func testLeave(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	a, b := k.receiver(t, s), k.receiver(t, s)
	ra := receiving(s, a.Receive)
	a.Leave()
	want(t, "a", ra, 0, burst.ErrLeft)
	enqueue(t, s, 1, burst.ErrBusy)
	if n := s.Receivers(); n != 1 {
		t.Errorf("%d receivers are left, want 1", n)
	}
	rb := receiving(s, b.Receive)
	enqueue(t, s, 2, nil)
	b.Leave() // it has not been woken
	want(t, "b", rb, 2, nil)
	if n := s.Wake(); n != 0 {
		t.Errorf("Wake woke %d that have left", n)
	}
	if _, err := b.Receive(); !errors.Is(err, burst.ErrLeft) {
		t.Errorf("Receive: %v, want %v", err, burst.ErrLeft)
	}
	b.Leave()
	enqueue(t, s, 3, burst.ErrBusy)
	c := k.receiver(t, s) // the list continues
	rc := receiving(s, c.Receive)
	enqueue(t, s, 4, nil)
	s.Wake()
	want(t, "c", rc, 4, nil)
}

// Catches: a receiver in the middle that leaves and takes the turn of another along.
func TestTurnsAfterALeaver(t *testing.T) { eachKind(t, testTurnsAfterALeaver) }

func testTurnsAfterALeaver(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	var rs [4]*burst.Receiver[int]
	var results [4]<-chan result
	for i := range rs {
		rs[i] = k.receiver(t, s)
		results[i] = receiving(s, rs[i].Receive)
	}
	enqueue(t, s, 0, nil)
	enqueue(t, s, 1, nil) // the next is 2
	rs[0].Leave()
	want(t, "the leaver", results[0], 0, nil)
	for v := 2; v < 4; v++ {
		enqueue(t, s, v, nil)
	}
	s.Wake()
	for v := 1; v < 4; v++ {
		want(t, "in turn", results[v], v, nil)
	}
}

// Catches: a turn that no receiver has, since the last one has left.
func TestTheLastLeaves(t *testing.T) { eachKind(t, testTheLastLeaves) }

func testTheLastLeaves(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	a, b := k.receiver(t, s), k.receiver(t, s)
	ra, rb := receiving(s, a.Receive), receiving(s, b.Receive)
	enqueue(t, s, 1, nil) // the next is b
	b.Leave()
	want(t, "b", rb, 0, burst.ErrLeft)
	s.Wake()
	want(t, "a", ra, 1, nil)
	ra = receiving(s, a.Receive)
	enqueue(t, s, 2, nil)
	s.Wake()
	want(t, "a again", ra, 2, nil)
}

func TestReceiveContext(t *testing.T) { eachKind(t, testReceiveContext) }

func testReceiveContext(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	r := k.receiver(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	within := func() (int, error) { return r.ReceiveContext(ctx) }
	results := receiving(s, within)
	cancel()
	want(t, "cancelled", results, 0, context.Canceled)
	if n := s.Waiting(); n != 0 {
		t.Errorf("%d wait, want none", n)
	}
	enqueue(t, s, 1, burst.ErrBusy)
	if _, err := r.ReceiveContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	results = receiving(s, within)
	enqueue(t, s, 2, nil)
	cancel() // it has a message, though it has not been woken
	want(t, "cancelled with a message", results, 2, nil)
	results = receiving(s, func() (int, error) { return r.ReceiveContext(context.Background()) })
	enqueue(t, s, 3, nil)
	if n := s.Wake(); n != 1 {
		t.Errorf("Wake woke %d, want 1: the one that gave up is not to be woken for its old message", n)
	}
	want(t, "for ever", results, 3, nil)
}

// Catches: two goroutines that share a receiver and one of which sleeps for good.
func TestOneGoroutineAtATime(t *testing.T) { eachKind(t, testOneGoroutineAtATime) }

func testOneGoroutineAtATime(t *testing.T, k *kind) {
	s := burst.NewSender[int]()
	r := k.receiver(t, s)
	results := receiving(s, r.Receive)
	if _, err := r.Receive(); !errors.Is(err, burst.ErrInUse) {
		t.Errorf("a second Receive: %v, want %v", err, burst.ErrInUse)
	}
	s.Close()
	want(t, "the first", results, 0, burst.ErrClosed)
}

// Catches: an allocation for each message.
func TestNoAllocations(t *testing.T) { eachKind(t, testNoAllocations) }

func testNoAllocations(t *testing.T, k *kind) {
	s := burst.NewSender[[4]int]()
	r, err := newReceiver(k, s)
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan struct{})
	go func() {
		defer close(received)
		for {
			if _, err := r.Receive(); err != nil {
				return
			}
			received <- struct{}{}
		}
	}()
	n := testing.AllocsPerRun(100, func() {
		for s.Enqueue([4]int{}) != nil {
			runtime.Gosched()
		}
		s.Wake()
		<-received
	})
	s.Close()
	<-received
	if n > 0 {
		t.Errorf("%v allocations for each message", n)
	}
}

// Many senders and receivers, all in a hurry: what was accepted is received once, what was
// not is not.
func TestNothingIsLost(t *testing.T) { eachKind(t, testNothingIsLost) }

func testNothingIsLost(t *testing.T, k *kind) {
	const senders, each = 4, 2000
	for _, receivers := range []int{1, 3} {
		s := burst.NewSender[int]()
		var got [senders * each]int // by message; each is one receiver's
		var accepted [senders * each]bool
		var mu sync.Mutex
		var sending, receiving sync.WaitGroup
		for range receivers {
			r := k.receiver(t, s)
			receiving.Go(func() {
				for {
					v, err := r.Receive()
					if err != nil {
						return
					}
					mu.Lock()
					got[v]++
					mu.Unlock()
				}
			})
		}
		for s.Waiting() == 0 {
			runtime.Gosched()
		}
		for n := range senders {
			sending.Go(func() {
				for i := range each {
					v := n*each + i
					accepted[v] = s.Enqueue(v) == nil
					if i%3 == 0 {
						s.Wake()
						runtime.Gosched()
					}
				}
			})
		}
		sending.Wait()
		s.Close()
		receiving.Wait()
		some := false
		for v := range got {
			some = some || accepted[v]
			if accepted[v] != (got[v] == 1) || got[v] > 1 {
				t.Errorf("message %d: accepted %t, received %d times", v, accepted[v], got[v])
			}
		}
		if !some {
			t.Error("not one message was accepted")
		}
	}
}

// A kind is one of receivers, or several by turns.
type kind struct {
	name    string
	threads []bool // by turns: is it a thread receiver?
	made    int
}

var goroutine = kind{name: "goroutine", threads: []bool{false}}

// kinds are those that this system has.
func kinds() []kind {
	if runtime.GOOS != "linux" {
		return []kind{goroutine}
	}
	return []kind{goroutine, {name: "thread", threads: []bool{true}}, {name: "both", threads: []bool{true, false}}}
}

func eachKind(t *testing.T, test func(t *testing.T, k *kind)) {
	t.Helper()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) { test(t, &k) })
	}
}

func newReceiver[T any](k *kind, s *burst.Sender[T]) (*burst.Receiver[T], error) {
	k.made++
	if k.threads[k.made%len(k.threads)] {
		return s.NewThreadReceiver()
	}
	return s.NewReceiver()
}

func (k *kind) receiver(t testing.TB, s *burst.Sender[int]) *burst.Receiver[int] {
	t.Helper()
	r, err := newReceiver(k, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
