//go:build chaos

package chaos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// A printer replaces the *testing.T that a test would pass: it prints the first
// line of what went wrong, up to the execution's number.
type printer struct{ name string }

func (p printer) Helper()                         {}
func (p printer) Name() string                    { return p.name }
func (p printer) Failed() bool                    { return false }
func (p printer) Logf(format string, args ...any) {}
func (p printer) FailNow()                        { runtime.Goexit() }
func (p printer) Fatalf(format string, args ...any) {
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	verdict, rest, _ := strings.Cut(first, " in execution ")
	_, summary, _ := strings.Cut(rest, "): ")
	what, _, _ := strings.Cut(summary, ", after ")
	fmt.Printf("%s: %s\n", verdict, what)
	p.FailNow()
}

// exploring runs what a test would, and lets the example continue.
func exploring(name string, body func(c *chaos.C), options ...chaos.Option) {
	dir, err := os.MkdirTemp("", "chaos-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	done := make(chan struct{})
	go func() {
		defer close(done)
		chaos.Explore(printer{name}, body, append(options, chaos.WithDir(dir))...)
		fmt.Println("pass")
	}()
	<-done
	repeat(name, dir, body)
}

// repeat checks that what was recorded repeats.
func repeat(name, dir string, body func(c *chaos.C)) {
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	for _, file := range files {
		r, err := recording.Read(file)
		if err != nil {
			panic(err)
		}
		var o control.Options
		for _, option := range r.Options {
			if m, ok := strings.CutPrefix(option, "memory="); ok {
				o.Memory, _ = control.ParseMemory(m)
			}
		}
		reproduce.Recording(strict{printer{name}}, o, r, chaos.Body(body))
	}
}

// strict is a printer that nothing may be reported to.
type strict struct{ printer }

func (strict) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// A queue that signals only when it was empty: with two waiters, and two items put
// before the first of them is awake, the second is not woken.
type Queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	all   bool // the cure: signal for each item
}

func NewQueue(all bool) *Queue {
	q := &Queue{all: all}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) Put(v int) {
	q.mu.Lock()
	q.items = append(q.items, v)
	wake := q.all || len(q.items) == 1
	q.mu.Unlock()
	if wake {
		q.cond.Signal()
	}
}

func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// A mutex and a condition: a wakeup is lost.
func ExampleExplore() {
	for _, cured := range []bool{false, true} {
		exploring("TestQueue", func(c *chaos.C) {
			q := NewQueue(cured)
			for range 2 {
				c.Go(func() { q.Take() })
			}
			q.Put(1)
			q.Put(2)
		})
	}
	// Output:
	// leak: the body has returned, but main/0 waits to be woken
	// pass
}

// A pipeline of channels: a stage that fails leaves the one before it behind, which
// sends to no receiver.
func ExampleExplore_channels() {
	stage := func(in <-chan int, out chan<- int, quit <-chan struct{}) {
		defer channel.Close(out)
		for v := range channel.Range(in) {
			if channel.Select(channel.OnSend(out, v+1), channel.OnReceive(quit, nil, nil)) == 1 {
				return
			}
		}
	}
	for _, cured := range []bool{false, true} {
		exploring("TestPipeline", func(c *chaos.C) {
			source, middle, sink := make(chan int), make(chan int), make(chan int)
			quit := make(chan struct{})
			c.Go(func() { // the first stage
				defer channel.Close(source)
				for i := range 3 {
					if !cured {
						channel.Send(source, i) // the bug: it does not listen to quit
					} else if channel.Select(channel.OnSend(source, i), channel.OnReceive(quit, nil, nil)) == 1 {
						return
					}
				}
			})
			c.Go(func() { stage(source, middle, quit) })
			c.Go(func() { stage(middle, sink, quit) })
			channel.Receive(sink) // the first result is enough
			channel.Close(quit)
		})
	}
	// Output:
	// leak: the body has returned, but main/0 waits to send
	// pass
}

// A ring of atomics, for one producer and one consumer.
type ring struct {
	slots      [2]atomic.Int64
	head, tail atomic.Int64
	publish    bool // the cure: the slot is written before the tail moves
}

func (r *ring) push(v int64) bool {
	t := r.tail.Load()
	if t-r.head.Load() == int64(len(r.slots)) {
		return false
	}
	if !r.publish {
		r.tail.Store(t + 1) // the bug: the consumer can be faster
	}
	r.slots[t%2].Store(v)
	if r.publish {
		r.tail.Store(t + 1)
	}
	return true
}

func (r *ring) pop() (int64, bool) {
	h := r.head.Load()
	if h == r.tail.Load() {
		return 0, false
	}
	v := r.slots[h%2].Load()
	r.head.Store(h + 1)
	return v, true
}

// Atomic operations: a value is read before it is there. The loops that poll need no
// annotation.
func ExampleExplore_atomics() {
	for _, cured := range []bool{false, true} {
		exploring("TestRing", func(c *chaos.C) {
			r := &ring{publish: cured}
			c.Go(func() {
				for v := int64(1); v <= 3; {
					if r.push(v) {
						v++
					}
				}
			})
			for want := int64(1); want <= 3; {
				if v, ok := r.pop(); ok {
					if v != want {
						c.Fatalf("popped %d, want %d", v, want)
					}
					want++
				}
			}
		})
	}
	// Output:
	// wrong-result: popped 0, want 2
	// pass
}

// equal is a helper as libraries of assertions have them: a *testing.T would do as well.
func equal(t interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}, got, want int64) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
		t.FailNow()
	}
}

// A helper, a log and a cleanup: the log is in the report if the execution fails.
func ExampleC() {
	for _, cured := range []bool{false, true} {
		exploring("TestCounter", func(c *chaos.C) {
			var n, running atomic.Int64
			c.Cleanup(func() { equal(c, running.Load(), 0) })
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					running.Add(1)
					defer running.Add(-1)
					if cured {
						n.Add(1)
						return
					}
					read := n.Load()
					c.Logf("read %d", read)
					n.Store(read + 1)
				})
			}
			wg.Wait()
			equal(c, n.Load(), 2)
		})
	}
	// Output:
	// wrong-result: got 1, want 2
	// pass
}
