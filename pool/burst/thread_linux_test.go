package burst_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool/burst"
)

var thread = kind{name: "thread", threads: []bool{true}}

// eventfds counts the descriptors of that kind that the process has.
func eventfds(t *testing.T) (n int) {
	t.Helper()
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if link, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && link == "anon_inode:[eventfd]" {
			n++
		}
	}
	return n
}

// calls returns how many system calls of the read kind (syscr) or the write kind (syscw) a
// thread has made, as the kernel counts them.
func calls(t *testing.T, thread, kind string) (n int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", thread, "io"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Sscanf(line, kind+": %d", &n); err == nil {
			return n
		}
	}
	t.Fatalf("there is no %s in %q", kind, text)
	return 0
}

// Catches: descriptors that are never closed (BP-10), in either order.
func TestDescriptors(t *testing.T) {
	const receivers, waiting = 1000, 40
	eventfds(t) // the netpoller opens one with the first file
	before := eventfds(t)
	for range 3 {
		s := burst.NewSender[int]()
		var rs []*burst.Receiver[int]
		for range receivers {
			rs = append(rs, thread.receiver(t, s))
		}
		if n := eventfds(t); n != before+receivers {
			t.Errorf("%d descriptors, want %d", n, before+receivers)
		}
		var results []<-chan result
		for _, r := range rs[:waiting] {
			results = append(results, receiving(s, r.Receive))
		}
		enqueue(t, s, 1, nil) // for the first, woken
		s.Wake()
		enqueue(t, s, 2, nil) // for the second, which leaves
		rs[1].Leave()
		enqueue(t, s, 3, nil) // for the third, which does not
		want(t, "woken", results[0], 1, nil)
		want(t, "has a message and leaves", results[1], 2, nil)
		for i := 3; i < receivers/2; i++ {
			rs[i].Leave()
		}
		for _, r := range results[3:] {
			want(t, "leaves", r, 0, burst.ErrLeft)
		}
		s.Close()
		want(t, "has a message when the sender closes", results[2], 3, nil)
		if n := eventfds(t); n != before {
			t.Errorf("%d descriptors after Close, want %d", n, before)
		}
		if _, err := s.NewThreadReceiver(); !errors.Is(err, burst.ErrClosed) || eventfds(t) != before {
			t.Errorf("another after Close: %v, %d descriptors, want %d", err, eventfds(t), before)
		}
	}
}

// One call of Wake flushes: a write(2) for each thread that got a message, and no other.
// The scheduler itself writes now and then, when the thread has to wait for a lock, so
// what is compared is the least of many.
func TestSystemCallsOfWake(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := burst.NewSender[int]()
	defer s.Close()
	var results [6]<-chan result
	for i := range results {
		k := []*kind{&thread, &goroutine}[i%2]
		results[i] = receivingForEver(s, k.receiver(t, s))
	}
	type call struct {
		what string
		want int
	}
	least := map[call]int{}
	for round := range 40 * len(results) {
		for s.Waiting() < len(results) {
			runtime.Gosched()
		}
		begin := calls(t, "thread-self", "syscw")
		count := func(what string, want int) {
			end := calls(t, "thread-self", "syscw")
			c, n := call{what, want}, end-begin
			if before, ok := least[c]; !ok || n < before {
				least[c] = n
			}
			begin = end
		}
		s.Wake()
		count("a wake without receivers", 0)
		n := 1 + round%len(results)
		for v := range n {
			enqueue(t, s, v, nil)
		}
		count("Enqueue", 0)
		first := turn(round, len(results))
		if woken := s.Wake(); woken != n {
			t.Errorf("woken %d, want %d", woken, n)
		}
		count("a wake", threads(first, n))
		for i := range n {
			if r := <-results[(first+i)%len(results)]; r.err != nil {
				t.Error(r.err)
			}
		}
	}
	for c, n := range least {
		if n != c.want {
			t.Errorf("%s: %d writes, want %d", c.what, n, c.want)
		}
	}
	if len(least) != 2+len(results)/2+1 {
		t.Errorf("not every number of threads was woken: %v", least)
	}
}

// turn returns whose turn it is after rounds in which 1, 2 ... n, 1, 2 ... got a message.
func turn(rounds, n int) (next int) {
	for round := range rounds {
		next += 1 + round%n
	}
	return next % n
}

// threads returns how many of n receivers, from the given one, are threads: the even ones.
func threads(first, n int) (count int) {
	for i := first; i < first+n; i++ {
		count += 1 - i%2
	}
	return count
}

func receivingForEver(s *burst.Sender[int], r *burst.Receiver[int]) <-chan result {
	results := make(chan result)
	go func() {
		for {
			v, err := r.Receive()
			if err != nil {
				return
			}
			results <- result{v, err}
		}
	}()
	return results
}

// Catches: a thread that sleeps with its P: others could not run, nor could the garbage
// collector stop the world.
func TestSleepersKeepNothing(t *testing.T) {
	s := burst.NewSender[int]()
	var results []<-chan result
	for range 4 * runtime.GOMAXPROCS(0) {
		results = append(results, receiving(s, thread.receiver(t, s).Receive))
	}
	runtime.GC()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	s.Close()
	for _, r := range results {
		want(t, "closed", r, 0, burst.ErrClosed)
	}
}

// Receivers come, wait, give up and leave, or are sent away, while messages are sent.
func TestChurn(t *testing.T) { eachKind(t, testChurn) }

func testChurn(t *testing.T, k *kind) {
	const rounds, each, messages = 20, 8, 50
	eventfds(t)
	before := eventfds(t)
	for range rounds {
		s := burst.NewSender[int]()
		ctx, cancel := context.WithCancel(context.Background())
		var accepted, received atomic.Int64
		var receivers, others sync.WaitGroup
		for i := range each {
			r := k.receiver(t, s)
			receivers.Go(func() {
				if i%4 == 0 {
					runtime.LockOSThread()
				}
				receive := r.Receive
				if i%4 == 1 {
					receive = func() (int, error) { return r.ReceiveContext(ctx) }
				}
				for {
					if _, err := receive(); err != nil {
						break
					}
					received.Add(1)
				}
				r.Leave()
			})
			if i%4 == 2 {
				others.Go(func() {
					runtime.Gosched()
					r.Leave()
				})
			}
		}
		for range 2 {
			others.Go(func() {
				for v := range messages {
					if s.Enqueue(v) == nil {
						accepted.Add(1)
					}
					if v%3 == 0 {
						s.Wake()
						runtime.Gosched()
					}
				}
			})
		}
		cancel()
		others.Wait()
		s.Close()
		receivers.Wait()
		if a, r := accepted.Load(), received.Load(); a != r {
			t.Errorf("%d messages were accepted, %d received", a, r)
		}
		if n := eventfds(t); n != before {
			t.Errorf("%d descriptors, want %d", n, before)
		}
	}
}
