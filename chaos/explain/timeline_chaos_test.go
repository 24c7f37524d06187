//go:build chaos

package explain_test

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// timelineOf runs a body by a strategy, and returns the timeline of its repetition.
func timelineOf(t *testing.T, by strategy.Strategy, body func()) *explain.Timeline {
	t.Helper()
	e, err := control.New(control.Options{Strategy: by})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, _ := e.Run(1, body)
	again, events := e.Trace(r.Schedule.Clone(), body)
	report := explain.Report{Result: again, Events: events}
	return report.Timeline(nil)
}

// edges are those of a timeline, each as "kind: task operation -> task operation".
func edges(l *explain.Timeline) (all []string) {
	step := func(i int) string {
		s := l.Steps[i]
		text := l.Lanes[s.Lane].Task + " " + path.Base(s.Text)
		if slices.Contains(s.Remarks, "waits") {
			text += " (waits)"
		}
		return text
	}
	for _, e := range l.Edges {
		all = append(all, e.Kind+": "+step(e.From)+" -> "+step(e.To))
	}
	return all
}

// spans are those of a timeline, each as "task kind [object]", and "still" if it has not ended.
func spans(l *explain.Timeline) (all []string) {
	for _, s := range l.Spans {
		text := fmt.Sprintf("%s %s [%d]", l.Lanes[s.Lane].Task, s.Kind, s.Object)
		if s.To < 0 {
			text += " still"
		}
		all = append(all, text)
	}
	return all
}

// has reports an error for each of the texts that is not among those that there are.
func has(t *testing.T, what string, all []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(all, w) {
			t.Errorf("no %s %q among\n%s", what, w, strings.Join(all, "\n"))
		}
	}
}

// TestTimelineOfLocks: locks are held from the operation that takes them, and given up before others take them.
func TestTimelineOfLocks(t *testing.T) {
	l := timelineOf(t, strategy.Default(), func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		var done sync.WaitGroup
		done.Add(1)
		mu.Lock()
		rw.RLock()
		go hooks.Task(func() {
			mu.Lock()
			mu.Unlock() //lint:ignore SA2001 only the wait counts
			rw.Lock()
			rw.Unlock() //lint:ignore SA2001 only the wait counts
			done.Done()
		})()
		hooks.Gosched()
		mu.Unlock()
		hooks.Gosched()
		rw.RUnlock()
		done.Wait()
	})
	has(t, "edge", edges(l), "go: main rwmutex-rlock -> main/0 begin", "unlock: main mutex-unlock -> main/0 mutex-lock",
		"join: main/0 waitgroup-done -> main waitgroup-wait")
	has(t, "span", spans(l), "main hold [2]", "main/0 hold [2]", "main hold for reading [3]", "main/0 hold [3]")
}

// TestTimelineOfChannels: values, ends, and the room that a receiver makes.
func TestTimelineOfChannels(t *testing.T) {
	l := timelineOf(t, strategy.Default(), func() {
		buffered, plain, ended := make(chan int, 1), make(chan int), make(chan int)
		go hooks.Task(func() {
			channel.Send(buffered, 1)
			channel.Send(buffered, 2)
			channel.Send(plain, 3)
			channel.Close(ended)
		})()
		hooks.Gosched()
		channel.Receive(buffered)
		channel.Receive(buffered)
		channel.Receive(plain)
		channel.Receive(ended)
	})
	kinds := map[string]int{}
	for _, e := range l.Edges {
		kinds[e.Kind]++
	}
	if kinds["go"] != 1 || kinds["send"] < 3 || kinds["receive"] < 1 || kinds["close"] < 1 {
		t.Errorf("edges\n%s", strings.Join(edges(l), "\n"))
	}
	var values []string
	for _, s := range l.Steps {
		if s.Value != "" {
			values = append(values, s.Value)
		}
	}
	has(t, "value", values, "1 of 1", "0 of 1")
}

// TestTimelineOfOthers: a condition, an atomic that is read, and timers; the time is virtual.
func TestTimelineOfOthers(t *testing.T) {
	l := timelineOf(t, strategy.Default(), func() {
		var mu sync.Mutex
		woken := sync.NewCond(&mu)
		var ready atomic.Bool
		go hooks.Task(func() {
			time.Sleep(time.Millisecond)
			ready.Store(true)
			woken.Signal()
		})()
		mu.Lock()
		woken.Wait()
		ready.Load()
		mu.Unlock()
		fired := make(chan bool)
		time.AfterFunc(time.Second, func() { channel.Close(fired) })
		channel.Receive(fired)
	})
	kinds := map[string]bool{}
	for _, e := range l.Edges {
		kinds[e.Kind] = true
	}
	if !kinds["wake"] || !kinds["write"] || !kinds["timer"] || !kinds["close"] {
		t.Errorf("edges\n%s", strings.Join(edges(l), "\n"))
	}
	if last := l.Steps[len(l.Steps)-1].Time; last != 1_001_000_000 {
		t.Errorf("it ends at %d ns", last)
	}
}

// TestTimelineOfChoices: the case that a select takes, what Choose returns, and which timer fires.
func TestTimelineOfChoices(t *testing.T) {
	e, err := control.New(control.Options{Strategy: strategy.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, events := e.Trace(strategy.Schedule{}, func() {
		a, b := make(chan int, 1), make(chan int, 1)
		channel.Send(b, 1)
		channel.Select(channel.OnReceive(a, nil, nil), channel.OnReceive(b, nil, nil))
		e.Choose(3)
		channel.Receive(time.After(time.Second))
	})
	l := (&explain.Report{Events: events}).Timeline(nil)
	var values []string
	for _, s := range l.Steps {
		values = append(values, s.Kind+": "+s.Value)
	}
	has(t, "value", values, "select: takes case 1, 0 of 1", "point: returns 0", "clock: armed by main")
}

// TestTimelineOfPanic: the line that panics is marked.
func TestTimelineOfPanic(t *testing.T) {
	l := timelineOf(t, strategy.Default(), func() {
		var n atomic.Int64
		n.Store(1)
		panic("a bug")
	})
	if len(l.Marks) != 1 || l.Marks[0].Kind != "panic" || l.Marks[0].Text != "panic: a bug" {
		t.Fatalf("marks %+v", l.Marks)
	}
	at := l.Marks[0].Steps[0]
	if s := l.Steps[at]; s.Kind != "panic" || !strings.HasSuffix(s.File, "timeline_chaos_test.go") || s.Line == 0 || l.Steps[at-1].Kind != "store" {
		t.Errorf("marked is %+v, after %+v", s, l.Steps[at-1])
	}
}

// TestTimelineKeepsTheLastWrite: what a task that is stuck has read last, and what had written that.
func TestTimelineKeepsTheLastWrite(t *testing.T) {
	l := timelineOf(t, strategy.Default(), func() {
		var n, other atomic.Int64
		n.Store(1)
		n.Store(2)
		for range 10 {
			other.Add(1)
		}
		go hooks.Task(func() { n.Load(); channel.Receive(make(chan int)) })()
		channel.Receive(make(chan int))
	})
	var kept []string
	for _, s := range l.Steps {
		if s.Kept {
			kept = append(kept, fmt.Sprint(s.Kind, " ", l.Lanes[s.Lane].Task))
		}
	}
	if want := []string{"store main", "receive main", "load main/0", "receive main/0"}; !slices.Equal(kept, want) {
		t.Errorf("kept are %q, want %q", kept, want)
	}
}

// TestTimelineIsCut: of a long execution the middle is left out, but for what decides, and a note says so; bars go
// on over what is left out, and every number is that of a step.
func TestTimelineIsCut(t *testing.T) {
	const many = 15_000
	long := func() {
		var outer, inner sync.Mutex
		var n atomic.Int64
		outer.Lock()
		for i := range 2 * many {
			n.Add(1)
			if i == many {
				inner.Lock()
			}
		}
		outer.Unlock()
		go hooks.Task(func() { inner.Lock() })()
		inner.Lock()
	}
	e, err := control.New(control.Options{Strategy: strategy.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, events := e.Trace(strategy.Schedule{}, long)
	l := (&explain.Report{Result: r, Events: events}).Timeline([]recording.Entry{{Task: "main", Ops: many + 500, To: "main/0"}})
	if len(l.Notes) != 1 || len(l.Steps) > 20_010 || len(l.Steps) < 20_002 {
		t.Fatalf("%d steps, notes %q", len(l.Steps), l.Notes)
	}
	has(t, "span", spans(l), "main hold [1]", "main hold [3] still", "main wait [3] still", "main/0 wait [3] still")
	decided := slices.IndexFunc(l.Steps, func(s explain.Step) bool { return s.Switch != "" })
	taken := slices.IndexFunc(l.Steps, func(s explain.Step) bool { return s.Kind == "lock" && s.Objects[0] == 3 })
	if decided != 10_001 || taken != 10_000 || l.Decisions != 1 {
		t.Errorf("the lock is taken at %d and the schedule decides at %d of %d decisions, want both in the middle", taken, decided, l.Decisions)
	}
	for _, s := range l.Spans {
		if s.From < 0 || s.From >= len(l.Steps) || s.To >= len(l.Steps) {
			t.Errorf("span %+v of %d steps", s, len(l.Steps))
		}
	}
	for _, lane := range l.Lanes {
		if lane.First < 0 || lane.Last >= len(l.Steps) {
			t.Errorf("lane %+v", lane)
		}
	}
}

// TestTimelineOfDeadlock: two tasks wait for each other, and what they hold is not hidden.
func TestTimelineOfDeadlock(t *testing.T) {
	body := func() {
		var a, b sync.Mutex
		a.Lock()
		go hooks.Task(func() { b.Lock(); a.Lock() })()
		hooks.Gosched()
		b.Lock()
	}
	l := timelineOf(t, strategy.Default(), body)
	if len(l.Waits) != 2 || !slices.Equal(l.Waits[0].For, []string{"main/0"}) || !slices.Equal(l.Waits[1].For, []string{"main"}) {
		t.Errorf("waits %+v", l.Waits)
	}
	has(t, "span", spans(l), "main hold [1] still", "main/0 hold [2] still", "main wait [2] still", "main/0 wait [1] still")
	for _, s := range l.Spans {
		if !l.Steps[s.From].Kept {
			t.Errorf("step %d may be hidden", s.From)
		}
	}
	first, _ := json.Marshal(l)
	if again, _ := json.Marshal(timelineOf(t, strategy.Default(), body)); string(again) != string(first) {
		t.Errorf("another timeline of the same schedule:\n%s\n%s", first, again)
	}
}

// TestTimelineHolds: edges go forward and between lanes; no two tasks hold a mutex at a time; a hold ends with the
// operation by which its own task gives the lock up, or not at all.
func TestTimelineHolds(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("is consistent", prop.ForAll(func(tasks [][]int, seed uint64) string {
		l := timelineOf(t, strategy.Random(), func() {
			locks := make([]sync.Mutex, 2)
			for _, steps := range tasks {
				go hooks.Task(func() {
					for _, i := range steps {
						locks[i].Lock()
						if i == 0 {
							hooks.Gosched()
						}
						locks[i].Unlock()
					}
				})()
			}
		})
		return inconsistency(l)
	}, gen.SliceOfN(3, gen.SliceOfN(4, gen.IntRange(0, 1))), gen.UInt64()))
	properties.TestingRun(t)
}

// inconsistency says what is wrong with a timeline; "" is nothing.
func inconsistency(l *explain.Timeline) string {
	for _, e := range l.Edges {
		if e.To <= e.From || l.Steps[e.From].Lane == l.Steps[e.To].Lane {
			return fmt.Sprintf("edge %+v", e)
		}
	}
	until := map[int]int{}
	for _, s := range l.Spans {
		if s.Kind != "hold" {
			continue
		}
		if s.From < until[s.Object] {
			return fmt.Sprintf("%+v begins while another one lasts", s)
		}
		until[s.Object] = len(l.Steps)
		if s.To >= 0 {
			if end := l.Steps[s.To]; end.Lane != s.Lane || end.Kind != "unlock" || end.Objects[0] != s.Object {
				return fmt.Sprintf("%+v ends with %+v", s, end)
			}
			until[s.Object] = s.To
		}
	}
	return ""
}
