package original

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gently uses a sender as its author did: one burst at a time, received before the
// next, and nothing on its way when it is closed.
func gently(t *testing.T, fd eventfd) {
	t.Helper()
	s := newSender[message](fd)
	var threads sync.WaitGroup
	received := make(chan int)
	const receivers = 3
	for range receivers {
		r := s.NewReceiver()
		threads.Go(func() {
			for {
				m, err := r.Recv()
				if err != nil {
					if !errors.Is(err, ErrOrphaned) {
						t.Errorf("got %v", err)
					}
					return
				}
				received <- m.number
			}
		})
	}
	for i := range 100 {
		sum := 0
		for n := range i%receivers + 1 {
			sum += n
			for m := (&message{n}); s.Enqueue(m) != nil; {
				runtime.Gosched()
			}
		}
		s.WakeAll()
		for range i%receivers + 1 {
			sum -= <-received
		}
		if sum != 0 {
			t.Errorf("burst %d: other messages were received than sent", i)
		}
	}
	for _, w := range s.workers { // all of them wait
		for w.state.Load() != waiting {
			runtime.Gosched()
		}
	}
	s.Close()
	threads.Wait()
	if err := fd.close(); err != nil {
		t.Errorf("closing it: %v", err)
	}
}

func TestMessagesGetThrough(t *testing.T) { gently(t, newModelled()) }

func TestWithoutReceiversThePayloadComesBack(t *testing.T) {
	s := newSender[message](newModelled())
	m := new(message)
	if got := s.Enqueue(m); got != m {
		t.Errorf("got %v, want what was sent", got)
	}
	s.NewReceiver() // it does not wait
	if got := s.Enqueue(m); got != m {
		t.Errorf("got %v, want what was sent", got)
	}
}

// What the known defects look like from outside, as far as they need no schedule.
func TestPanicsOfTheAPI(t *testing.T) {
	s := newSender[message](newModelled())
	r := s.NewReceiver()
	s.Close()
	if _, err := r.Recv(); !errors.Is(err, ErrOrphaned) {
		t.Errorf("got %v, want ErrOrphaned", err)
	}
	if got := panicOf(func() { s.Enqueue(new(message)) }); !strings.Contains(got, "bad state 3") {
		t.Errorf("enqueue after closing: %q", got)
	}
	s = newSender[message](newModelled())
	r = s.NewReceiver()
	r.worker.state.Store(waiting)
	if got := panicOf(func() { r.Recv() }); !strings.Contains(got, "bad state 0 at R1") { //nolint:errcheck // it panics
		t.Errorf("two goroutines in one receiver: %q", got)
	}
}

// Whatever an eventfd refuses is a panic.
func TestErrorsArePanics(t *testing.T) {
	fd := newModelled()
	s := newSender[message](fd)
	r := s.NewReceiver()
	if err := fd.close(); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"wake":       s.WakeAll,
		"drop":       s.Close,
		"recv: poll": func() { r.worker.state.Store(running); r.Recv() }, //nolint:errcheck // it panics
	} {
		if got := panicOf(f); !strings.Contains(got, name+": bad file descriptor") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// panicOf returns what f panics with, or "".
func panicOf(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = v.(string)
		}
	}()
	f()
	return ""
}
