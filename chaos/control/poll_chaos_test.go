//go:build chaos

package control_test

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/time"
)

// polls has a task notify another by a send that does not wait: the commonest lost wakeup
// of Go, if the other has looked and does not wait yet. Room in the channel mends it; and
// where time passes first, and only then, it does not happen.
func polls(e *control.Engine, room int, late bool) func() {
	return func() {
		var set atomic.Bool
		wake := make(chan struct{}, room)
		e.Go(func() {
			if late {
				time.Sleep(time.Millisecond)
			}
			set.Store(true)
			channel.Select(channel.OnSend(wake, struct{}{}), channel.Default)
		})
		for !set.Load() {
			channel.Receive(wake)
		}
	}
}

func TestPollBeforeItIsAwaited(t *testing.T) {
	for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS, strategy.URW, strategy.SURW,
		func() strategy.Strategy { return strategy.DFS(-1) }, func() strategy.Strategy { return strategy.DFS(2) }, strategy.DPOR} {
		for _, c := range []struct {
			name string
			room int
			late bool
			want verdict.Verdict
		}{
			{"missed", 0, false, verdict.Deadlock},
			{"kept", 1, false, verdict.Pass},
			{"awaited", 0, true, verdict.Pass},
		} {
			t.Run(by().Name()+"/"+c.name, func(t *testing.T) {
				e := begin(t, control.Options{Strategy: by()})
				body := polls(e, c.room, c.late)
				for n := range 1000 {
					r, more := e.Run(strategy.ChildKey(1, n), body)
					if !more {
						break
					}
					if r.Verdict != verdict.Pass {
						if again, unused := e.Repeat(r.Schedule.Clone(), body); again.Hash != r.Hash || unused.Len() > 0 {
							t.Errorf("repeated, it goes another way")
						}
						if r.Verdict != c.want {
							t.Fatalf("execution %d: %s: %s; want %s", n, r.Verdict, r.Summary, c.want)
						}
						return
					}
				}
				if c.want != verdict.Pass {
					t.Errorf("%s is not found", c.want)
				}
			})
		}
	}
}

// A poll that is repeated cannot overlook a task that waits for ever, and the search that
// leaves out further rounds says so.
func TestPollsEnd(t *testing.T) {
	by := strategy.DFS(-1)
	e := begin(t, control.Options{Strategy: by})
	for n := range 10_000 {
		r, more := e.Run(uint64(n), func() {
			wake := make(chan struct{})
			e.Go(func() {
				for range 20 {
					if channel.Select(channel.OnSend(wake, struct{}{}), channel.Default) == 0 {
						return
					}
				}
				e.Fail(verdict.WrongResult, "overlooked twenty times")
			})
			channel.Receive(wake)
		})
		if !more {
			if strategy.Bounded(by) == "" {
				t.Error("the search says that it is complete")
			}
			return
		}
		if r.Verdict == verdict.WrongResult {
			return // it has been found after all
		}
	}
	t.Error("the search does not end")
}
