//go:build chaos

package control

import (
	stdcontext "context"
	"fmt"
	"runtime"
	"strings"
	stdsync "sync"
	"testing"
	stdtime "time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// A group is what golang.org/x/sync/errgroup is: it starts goroutines by plain go.
type group struct{ wg stdsync.WaitGroup }

func (g *group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

func (g *group) Wait() { g.wg.Wait() }

// outsideCases are executions in which a goroutine that is no task takes part, and what the
// summary of each says.
var outsideCases = []struct {
	name string
	body func()
	want []string
}{
	{"a group's lost update", func() {
		var n atomic.Int64
		var g group
		for range 2 {
			g.Go(func() { n.Store(n.Load() + 1) })
		}
		g.Wait()
	}, []string{"started in control.(*group).Go (outside_chaos_test.go:", "calls hooks/atomic.(*Int64).Load", "hooks.Task"}},
	{"a plain go and a wait group", func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done() }()
		wg.Wait()
	}, []string{"started in control.init", "calls hooks/sync.(*WaitGroup).Done", "hooks.Task"}},
	{"a plain send", func() {
		c := make(chan int, 1)
		go func() { c <- 1 }()
		channel.Receive(c)
	}, []string{"task main waits to receive", "outside_chaos_test.go", "hooks/channel"}},
	{"a standard context", func() {
		ctx, cancel := stdcontext.WithCancel(stdcontext.Background())
		tasks(func() { cancel() })
		channel.Receive(ctx.Done())
	}, []string{"task main waits to receive", "outside_chaos_test.go", "hooks/context"}},
	{"a standard AfterFunc", func() {
		var wg sync.WaitGroup
		wg.Add(1)
		stdtime.AfterFunc(stdtime.Millisecond, wg.Done)
		wg.Wait()
	}, []string{"the callback of a timer of the standard library", "calls hooks/sync.(*WaitGroup).Done", "hooks/time"}},
	{"a timer stopped outside", func() {
		tm := time.NewTimer(time.Second)
		go tm.Stop()
		channel.Receive(tm.C)
	}, []string{"started in control.init", "calls hooks/time.(*Timer).Stop", "hooks.Task"}},
	{"a timer reset outside", func() {
		tm := time.NewTimer(time.Second)
		go tm.Reset(time.Hour)
		channel.Receive(tm.C)
	}, []string{"started in control.init", "calls hooks/time.(*Timer).Reset"}},
	{"a ticker stopped outside", func() {
		tk := time.NewTicker(time.Second)
		go tk.Stop()
		channel.Receive(tk.C)
	}, []string{"started in control.init", "calls hooks/time.(*Ticker).Stop"}},
	{"a ticker reset outside", func() {
		tk := time.NewTicker(time.Second)
		go tk.Reset(time.Hour)
		channel.Receive(tk.C)
	}, []string{"started in control.init", "calls hooks/time.(*Ticker).Reset"}},
	{"a timeout cancelled outside", func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		go cancel()
		channel.Receive(ctx.Done())
	}, []string{"started in control.init", "calls hooks/context.WithDeadlineCause", "hooks.Task"}},
	{"a function of a context that ends outside", func() {
		parent, cancel := stdcontext.WithCancel(stdcontext.Background())
		ctx, stop := context.WithCancel(parent)
		defer stop()
		done := make(chan struct{})
		context.AfterFunc(ctx, func() { channel.Close(done) })
		cancel()
		channel.Receive(done)
	}, []string{"started in context.", "calls hooks/context."}},
	{"a standard timer", func() {
		channel.Receive(stdtime.After(stdtime.Hour))
	}, []string{"task main waits to receive", "outside_chaos_test.go", "for a timer of the standard library", "hooks/time"}},
	{"a standard ticker", func() {
		tk := stdtime.NewTicker(stdtime.Hour)
		defer tk.Stop()
		channel.Select(channel.OnReceive(make(chan int), nil, nil), channel.OnReceive(tk.C, nil, nil))
	}, []string{"task main waits in a select", "outside_chaos_test.go", "for a timer of the standard library", "hooks/time"}},
	{"an unbuffered send", func() {
		c := make(chan int)
		go func() { c <- 1 }()
		channel.Receive(c)
	}, []string{"task main waits to receive", "outside_chaos_test.go", "hooks/channel"}},
	{"a receiver", func() {
		c := make(chan int)
		go func() { channel.Receive(c) }()
		channel.Send(c, 1)
	}, []string{"started in control.init", "calls hooks/channel.Receive"}},
	{"a condition", func() {
		var mu sync.Mutex
		woken := sync.NewCond(&mu)
		mu.Lock()
		go woken.Signal()
		woken.Wait()
		mu.Unlock()
	}, []string{"started in control.init", "calls hooks/sync.(*Cond).Signal"}},
	{"a spinner", func() {
		var set atomic.Bool
		go func() {
			stdtime.Sleep(5 * stdtime.Millisecond)
			set.Store(true)
		}()
		for !set.Load() {
		}
	}, []string{"started in control.init", "calls hooks/atomic.(*Bool).Store"}},
	{"a panic", func() {
		var n atomic.Int64
		var g group
		g.Go(func() { n.Add(1) })
		g.Wait()
		panic("as n is what it is")
	}, []string{"started in control.(*group).Go", "calls hooks/atomic.(*Int64).Add"}},
	{"a cleanup", func() {
		done := make(chan struct{})
		runtime.AddCleanup(new([4]int), func(int) {
			defer close(done)
			var n atomic.Int64
			n.Add(1)
		}, 0)
		runtime.GC()
		<-done
	}, []string{"callback of the runtime", "calls hooks/atomic.(*Int64).Add"}},
	{"a goroutine that spins for ever", func() {
		var never atomic.Bool
		go func() {
			for !never.Load() {
			}
		}()
		var n atomic.Int64
		n.Add(1)
	}, []string{"started in control.init", "calls hooks/atomic.(*Bool).Load"}},
	{"goroutines that wait for ever", func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		mu.Lock()
		rw.Lock()
		woken := sync.NewCond(new(sync.Mutex))
		for _, wait := range []func(){mu.Lock, rw.Lock, rw.RLock, func() { woken.L.Lock(); woken.Wait() },
			func() { channel.Send(make(chan int), 1) },
			func() { channel.Select(channel.OnReceive(make(chan int), nil, nil), channel.OnSend(make(chan int), 1)) }} {
			go wait()
		}
		var n atomic.Int64
		n.Add(1)
		channel.Receive(make(chan int))
	}, []string{"started in control.init", "calls hooks/channel.Se"}},
	{"a select", func() {
		a, b := make(chan int), make(chan int)
		go func() { channel.Select(channel.OnReceive(b, nil, nil), channel.OnSend(a, 1), channel.Default) }()
		channel.Select(channel.OnReceive(a, nil, nil), channel.OnReceive(b, nil, nil))
	}, []string{"started in control.init", "calls hooks/channel.Select"}},
	{"a mutex handed over", func() {
		var mu sync.Mutex
		mu.Lock()
		defer func() { mu.Unlock() }()
		go mu.Unlock()
		mu.Lock()
	}, []string{"started in control.init", "calls hooks/sync.(*Mutex).Unlock"}},
	{"a task made outside", func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { tasks(wg.Done) }()
		wg.Wait()
	}, []string{"started in control.init", "calls hooks.Task"}},
}

// Whatever a goroutine that is no task does, the verdict is the same each time, names the
// go statement or the operation, and says what to do.
func TestOutsidersAreNamed(t *testing.T) {
	repeats := 20
	if testing.Short() {
		repeats = 5
	}
	for _, c := range outsideCases {
		t.Run(c.name, func(t *testing.T) {
			bySwitch(t, func(t *testing.T, how Switch) {
				said := make(map[string]int)
				for range repeats {
					e := start(t, Options{Switch: how, Grace: core.DefaultGrace})
					r, _ := e.Run(1, c.body)
					for n := uint64(2); r.Verdict == verdict.Pass && n < 20; n++ {
						r, _ = e.Run(n, c.body)
					}
					said[fmt.Sprintf("%s: %s", r.Verdict, r.Summary)]++
					if r, _ := e.Run(1, everything); r.Verdict != verdict.Pass {
						t.Fatalf("the next execution: %s: %s", r.Verdict, r.Summary)
					}
					e.Close()
				}
				if len(said) != 1 {
					t.Errorf("%d summaries: %v", len(said), said)
				}
				for s := range said {
					for _, want := range append(c.want, string(verdict.Uncontrolled)+": ") {
						if !strings.Contains(s, want) {
							t.Errorf("%q does not say %q", s, want)
						}
					}
				}
			})
		})
	}
}

// A goroutine that passes no hook is found while it is there; one that has ended is
// reported for the place before which it was started.
func TestGoroutinesWithoutHooksAreFound(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		for range 10 {
			e := start(t, Options{Switch: how})
			r, _ := e.Run(1, func() {
				var n atomic.Int64
				stop := make(chan struct{})
				defer close(stop)
				go func() { <-stop }()
				n.Add(1)
			})
			if r.Verdict != verdict.Uncontrolled || !strings.Contains(r.Summary, "started in control.TestGoroutinesWithoutHooks") ||
				!strings.Contains(r.Summary, "without passing a hook") {
				t.Errorf("%s: %s", r.Verdict, r.Summary)
			}
			e.Close()
		}
		e := start(t, Options{Switch: how})
		for n := range 100 {
			r, _ := e.Run(uint64(n), func() {
				var g group
				for range 2 {
					g.Go(func() {})
				}
				g.Wait()
				new(atomic.Int64).Add(1)
			})
			if r.Verdict != verdict.Pass && r.Verdict != verdict.Uncontrolled { // the one time that it is still there
				t.Fatalf("%s: %s", r.Verdict, r.Summary)
			}
		}
		if says := e.Untracked(); !strings.Contains(says, "started before control.TestGoroutinesWithoutHooks") {
			t.Errorf("it says %q", says)
		}
	})
}

// What the engine starts itself, and tasks start as they should, is not found.
func TestNoGoroutineIsUntracked(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for n := range 200 {
			if r, _ := e.Run(uint64(n), everything); r.Verdict != verdict.Pass {
				t.Fatalf("%s: %s", r.Verdict, r.Summary)
			}
		}
		if says := e.Untracked(); says != "" {
			t.Errorf("it says %q", says)
		}
	})
}
