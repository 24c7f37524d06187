//go:build chaos

package control

import (
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

var tracedPoint = hooks.Declare("control-test/traced", "between two loads", hooks.Disturbs)

// A trace has the operations, by number, and the hook points that were passed between
// them; looking changes nothing.
func TestTraceHasHookPoints(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		body := func() {
			var x atomic.Int64
			x.Load()
			hooks.At(tracedPoint)
			x.Store(1)
		}
		r, _ := e.Run(1, body)
		traced, events := e.Trace(r.Schedule.Clone(), body)
		if traced.Hash != r.Hash || traced.Steps != r.Steps {
			t.Errorf("traced: %d steps, %016x; untraced: %d, %016x", traced.Steps, traced.Hash, r.Steps, r.Hash)
		}
		want := []struct {
			kind  strategy.Kind
			point string
			op    int
		}{{strategy.Begin, "", 0}, {strategy.Load, "atomic/load", 1}, {strategy.Point, "control-test/traced", -1}, {strategy.Store, "atomic/store", 2}, {strategy.End, "", 3}}
		if len(events) != len(want) {
			t.Fatalf("%d events: %+v", len(events), events)
		}
		for i, w := range want {
			if e := events[i]; e.Kind != w.kind || w.point != "" && e.Point != w.point || e.Op != w.op {
				t.Errorf("event %d: %+v, want %+v", i, e, w)
			}
		}
		if again, _ := e.Run(1, body); again.Hash != r.Hash {
			t.Error("the trace was left on")
		}
	})
}

// traced returns the events of the canonical schedule of the body.
func traced(t *testing.T, body func(e *Engine)) []Event {
	t.Helper()
	e := start(t, Options{})
	_, events := e.Trace(strategy.Schedule{}, func() { body(e) })
	return events
}

// only returns the single event that is wanted.
func only(t *testing.T, events []Event, wanted func(Event) bool) (int, Event) {
	t.Helper()
	found := -1
	for i, e := range events {
		if wanted(e) {
			if found >= 0 {
				t.Fatalf("events %d and %d of %+v", found, i, events)
			}
			found = i
		}
	}
	if found < 0 {
		t.Fatalf("no such event in %+v", events)
	}
	return found, events[found]
}

// An operation without a hook point is not called by the point that was passed last.
func TestTraceOfOperationsWithoutPoints(t *testing.T) {
	events := traced(t, func(*Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		var x atomic.Int64
		x.Load()
		ctx.Err()
		cancel()
	})
	if _, e := only(t, events, func(e Event) bool { return e.Call != "" }); e.Call != "context.Err" || e.Point != "" || e.Kind != strategy.Load {
		t.Errorf("%+v, want context.Err", e)
	}
}

// What was chosen is part of the trace: by Choose, by a select, by the clock.
func TestTraceHasChoices(t *testing.T) {
	events := traced(t, func(e *Engine) {
		e.Choose(3)
		full, empty := make(chan int, 1), make(chan int)
		channel.Send(full, 1)
		channel.Select(channel.OnReceive(empty, nil, nil), channel.OnReceive(full, nil, nil))
		channel.Select(channel.OnReceive(empty, nil, nil), channel.Default)
		channel.Receive(time.After(time.Second))
	})
	only(t, events, func(e Event) bool { return e.Call == "Choose" && e.Outcome == "returns 0" && e.Op == -1 })
	only(t, events, func(e Event) bool { return e.Kind == strategy.Select && e.Outcome == "takes case 1" && e.Took == 1 })
	only(t, events, func(e Event) bool { return e.Outcome == "takes the default" && e.Took == -1 })
	fires, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Clock })
	if e.Task != "clock" || e.Outcome != "armed by main" || e.Site.Line == 0 || !reflect.DeepEqual(e.Reached, []string{"main"}) {
		t.Errorf("the timer's firing is %+v", e)
	}
	if _, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Receive && !e.Waits }); e.Source != fires+1 || e.Since == 0 || !events[e.Since-1].Waits {
		t.Errorf("what the timer sent is received by %+v", e)
	}
}

// A read knows which task wrote what it read.
func TestTraceHasSources(t *testing.T) {
	events := traced(t, func(e *Engine) {
		var x atomic.Int64
		x.Load()
		x.Store(1)
		e.Go(func() { x.Store(2) })
		var wg sync.WaitGroup
		wg.Add(1)
		e.Go(func() { wg.Done() })
		wg.Wait()
		x.Add(1)
	})
	if _, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Load }); e.Source != Initial {
		t.Errorf("the first read is %+v", e)
	}
	i, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Store && e.Task == "main/0" })
	if e.Source == 0 || events[e.Source-1].Task != "main" {
		t.Errorf("the second store is %+v", e)
	}
	if _, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Store && e.Point == "atomic/add" }); e.Source != i+1 {
		t.Errorf("the addition is %+v, want one of what event %d wrote", e, i)
	}
	_, e = only(t, events, func(e Event) bool { return e.Kind == strategy.Wait && !e.Waits })
	if e.Source == 0 || !reflect.DeepEqual(events[e.Source-1].Reached, []string{"main"}) || events[e.Source-1].Outcome != "counter 0" {
		t.Errorf("the wait is ended by %+v", e)
	}
}

// A notification knows which tasks it reached.
func TestTraceHasReceivers(t *testing.T) {
	var first, second int
	events := traced(t, func(e *Engine) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		for range 3 {
			e.Go(func() {
				mu.Lock()
				cond.Wait()
				mu.Unlock()
			})
		}
		time.Sleep(time.Second)
		cond.Signal()
		cond.Broadcast()
		cond.Broadcast()
		c := make(chan int)
		e.Go(func() { channel.Receive(c) })
		time.Sleep(time.Second)
		channel.Close(c)
	})
	_, e := only(t, events, func(e Event) bool { return e.Point == "sync/cond-signal" })
	if !reflect.DeepEqual(e.Reached, []string{"main/0"}) {
		t.Errorf("the signal is %+v", e)
	}
	for i, e := range events {
		switch {
		case e.Point != "sync/cond-broadcast":
		case first == 0:
			first = i
		default:
			second = i
		}
	}
	if got := events[first].Reached; !reflect.DeepEqual(got, []string{"main/1", "main/2"}) {
		t.Errorf("the broadcast has reached %q", got)
	}
	if got := events[second].Reached; got != nil {
		t.Errorf("a broadcast without waiters has reached %q", got)
	}
	if _, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Close }); !reflect.DeepEqual(e.Reached, []string{"main/3"}) {
		t.Errorf("the end of the channel is %+v", e)
	}
}

// A waiter that is woken alone continues if what it waits for is there, and else waits
// again; and the engine is as it was.
func TestNudge(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		body := func() {
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready := false
			e.Go(func() {
				mu.Lock()
				ready = true
				mu.Unlock()
			})
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
		}
		result, events := e.Trace(strategy.Schedule{}, body)
		enqueued, _ := only(t, events, func(e Event) bool { return e.Point == "sync/cond-wait" && e.Kind == strategy.Signal })
		alone := e.Experiments(strategy.Schedule{}, body)
		again := func(events []Event) (n int) {
			for _, e := range events {
				if e.Point == "sync/cond-wait" && e.Kind == strategy.Signal {
					n++
				}
			}
			return n
		}
		if got := alone.Nudge("main", enqueued+2); again(got) != 1 {
			t.Errorf("woken before the flag is set, it does %+v", got)
		}
		if got := alone.Nudge("main", len(events)); len(got) == 0 || again(got) != 0 {
			t.Errorf("woken when the flag is set, it does %+v", got)
		}
		if got := alone.Nudge("main/0", len(events)); got != nil {
			t.Errorf("a task that has ended does %+v", got)
		}
		if r, _ := e.Repeat(strategy.Schedule{}, body); r.Hash != result.Hash {
			t.Error("the nudge was left on")
		}
	})
}

// A read that is made only after a write shows what it would have meant.
func TestPostpone(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		body := func() {
			var x, y atomic.Int64
			e.Go(func() { x.Store(1) })
			if x.Load() == 0 {
				y.Store(1)
			}
		}
		_, events := e.Trace(strategy.Schedule{}, body)
		_, read := only(t, events, func(e Event) bool { return e.Kind == strategy.Load })
		_, write := only(t, events, func(e Event) bool { return e.Kind == strategy.Store && e.Task == "main/0" })
		alone := e.Experiments(strategy.Schedule{}, body)
		got := alone.Postpone("main", read.Op, "main/0", write.Op)
		if len(got) != 2 || got[0].Kind != strategy.Load || got[1].Kind != strategy.End {
			t.Errorf("after the write, main does %+v", got)
		}
		if got := alone.Postpone("main", read.Op, "main/0", 7); got != nil {
			t.Errorf("after what never comes, main does %+v", got)
		}
	})
}

// What a drop-in has returned has the name of the point that it passes.
func TestTraceOfStop(t *testing.T) {
	events := traced(t, func(*Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		context.AfterFunc(ctx, func() {})()
		cancel()
	})
	only(t, events, func(e Event) bool { return e.Point == "context/after-stop" && e.Kind == strategy.Store })
}

// The end of a context is that of those that derive from it, and reaches their waiters.
func TestTraceOfDerivedContexts(t *testing.T) {
	events := traced(t, func(e *Engine) {
		parent, cancel := context.WithCancel(context.Background())
		child, stop := context.WithCancel(parent)
		e.Go(func() { channel.Receive(child.Done()) })
		time.Sleep(time.Second)
		cancel()
		stop()
	})
	i, ends := only(t, events, func(e Event) bool { return e.Call == "ends a derived context" })
	if ends.Kind != strategy.Close || ends.Op != -1 || !reflect.DeepEqual(ends.Reached, []string{"main/0"}) {
		t.Errorf("the end of the derived context is %+v", ends)
	}
	if _, e := only(t, events, func(e Event) bool { return e.Kind == strategy.Receive && !e.Waits }); e.Source != i+1 {
		t.Errorf("the wait is ended by event %d, want %d", e.Source-1, i)
	}
}
