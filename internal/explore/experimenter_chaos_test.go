//go:build chaos

package explore

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
)

// inWords replaces operations and places of this file by the comments at their ends.
func inWords(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("experimenter_chaos_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	return regexp.MustCompile(`\S+'s \S+( \[\d+\])? at experimenter_chaos_test.go:\d+`).ReplaceAllStringFunc(text, func(at string) string {
		n, _ := strconv.Atoi(at[strings.LastIndexByte(at, ':')+1:])
		_, mark, _ := strings.Cut(lines[n-1], " // ")
		return strings.TrimRight("<"+mark, " ") + ">"
	})
}

var delivery = hooks.Declare("explore-test/deliver", "for these tests", hooks.Drops)

// TestFaultDecides: a fault without which the execution passes decides.
//
// Catches: a failure by a fault of which an order is said to decide, or nothing.
func TestFaultDecides(t *testing.T) {
	wrong := false
	drops := control.Options{Plan: plan.Plan{Faults: []plan.Fault{{At: "explore-test/deliver", Kind: hooks.Drops, Probability: 0.5}}}}
	d := decided(t, drops, func() bool { return wrong }, func() bool { return false }, func() {
		got := 0
		for range 3 {
			if hooks.Notify(delivery) == 1 { // the delivery
				got++
			}
		}
		wrong = got < 3
	})
	fails, passes := inWords(t, d.Fails), inWords(t, d.Passes)
	if fails != "with the fault drop at <the delivery> (100 of 100 executions)" || passes != "without it (100 of 100)" {
		t.Errorf("%s, %s: %+v", fails, passes, d)
	}
}

// decided explores a body until it fails, and returns what decides.
func decided(t *testing.T, o control.Options, wrong func() bool, noted func() bool, body func()) explain.Difference {
	t.Helper()
	o.Strategy = strategy.Random()
	s, err := New(Options{
		Engine: o, Seed: func(n int) uint64 { return strategy.ChildKey(1, n) },
		Body: func(strategy.Execution) func() { return body },
		Judge: func(r control.Result) control.Result {
			switch {
			case r.Verdict != verdict.Pass:
			case noted():
				r.Noted = true
			case wrong():
				r.Verdict, r.Effect, r.Summary = verdict.WrongResult, verdict.WrongResult, "wrong"
			}
			return r
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n, r := s.Explore(Range{To: 1000})
	if r.Verdict == verdict.Pass {
		t.Fatal("no execution fails")
	}
	by, _ := s.Shrink(s.Execution(n), r.Schedule.Clone(), r, 500)
	trace := s.Trace(s.Execution(n), by)
	return trace.Order(trace.Schedule.Clone(), explain.Wakeup{}).Difference
}

// TestDecides: what is said to decide does, of bugs whose story is known.
//
// Catches: a claim that is not tested, one about a consequence, or about a failure that does not count; one that names an
// operation that the passing executions do not have; and a failure of which nothing is said.
func TestDecides(t *testing.T) {
	var wrong, noted bool
	two := func(a, b func()) {
		var done sync.WaitGroup
		done.Add(2)
		go hooks.Task(func() {
			a()
			done.Done() // its end
		})()
		go hooks.Task(func() {
			b()
			done.Done()
		})()
		done.Wait()
	}
	for name, test := range map[string]struct {
		body          func()
		fails, passes string
	}{
		"a lost update": {func() {
			var x atomic.Int64
			add := func() {
				n := x.Load()  // the read
				x.Store(n + 1) // the write
			}
			two(add, add)
			wrong = x.Load() != 2
		}, `^if <the read> comes before <the write> \(100 of 100 executions\)$`, `^if <the write> comes first \(100 of 100\)$`},
		"a deadlock of two locks": {func() {
			var a, b sync.Mutex
			both := 0
			two(func() {
				a.Lock() // the one's first lock
				b.Lock() // the one's second lock
				both++
				b.Unlock()
				a.Unlock()
			}, func() {
				b.Lock() // the other's first lock
				a.Lock() // the other's second lock
				both++
				a.Unlock()
				b.Unlock()
			})
		}, `^if <(the one's first lock> comes before <the other's|the other's first lock> comes before <the one's) second lock> \(100 of 100 executions\)$`, `^if <the (one|other)'s second lock> comes first \(100 of 100\)$`},
		"a case of a select": {func() {
			news, quit := make(chan int, 1), make(chan int, 1)
			news <- 1
			quit <- 1
			wrong = channel.Select(channel.OnReceive(news, nil, nil), channel.OnReceive(quit, nil, nil)) == 0 // the select
		}, `^with <the select>: takes case 0 \(100 of 100 executions\)$`, `^with takes case 1 there \(100 of 100\)$`},
		"plain code after an operation": {func() {
			var mu sync.Mutex
			ready, value := false, 0
			two(func() {
				mu.Lock()
				ready = true
				mu.Unlock()
				value = 1
			}, func() {
				mu.Lock() // the look
				wrong = ready && value == 0
				mu.Unlock()
			})
		}, `^if <the look> comes before <its end> \(100 of 100 executions\)$`, `^if <its end> comes first \(100 of 100\)$`},
		"plain code before an operation": {func() {
			var x, y atomic.Int64
			value := 0
			two(func() {
				x.Store(1) // the first store
				value = 1
				y.Store(1)
			}, func() {
				if x.Load() == 1 { // the look
					wrong = value == 1
				}
			})
		}, `^if what follows <the first store> comes before <the look> \(100 of 100 executions\)$`, `^if <the look> comes directly after it \(100 of 100\)$`},
		"two that have to come first": {func() {
			var mu sync.Mutex
			early := 0
			child := func() {
				mu.Lock() // a child's lock
				early++
				mu.Unlock()
			}
			go hooks.Task(child)()
			go hooks.Task(child)()
			mu.Lock() // the parent's lock
			wrong = early < 2
			mu.Unlock()
		}, `^if <the parent's lock> comes before <a child's lock> \(100 of 100 executions\)$`, `^if <a child's lock> comes first \(100 of 100\)$`},
		"a beginning that comes late": {func() {
			var x, looked atomic.Int64
			go hooks.Task(func() { x.Store(1) })() // the store
			looked.Store(1)
			wrong = x.Load() == 0 // the look
		}, `^if <the look> comes before <the store> \(100 of 100 executions\)$`, `^if <the store> comes first \(100 of 100\)$`},
		"a failure that does not count": {func() {
			var x atomic.Int64
			two(func() { x.Store(1) }, func() { noted = x.Load() == 1 })
			wrong = !noted
		}, `^in each of \d+ executions that differ from it at random: no order was found that decides$`, `^$`},
		"every schedule": {func() {
			var x atomic.Int64
			two(func() { x.Add(1) }, func() { x.Add(1) })
			wrong = true
		}, `^in each of 200 executions that differ from it at random: no order was found that decides$`, `^$`},
		"one schedule": {func() { wrong = true }, `^in each of 16 executions: nothing was found that could come otherwise$`, `^$`},
		"no order": {func() { // but two of them
			var x, y atomic.Int64
			early := 0
			two(func() { x.Store(1) }, func() { early += int(x.Load()) })
			two(func() { y.Store(1) }, func() { early += int(y.Load()) })
			wrong = early != 0
		}, `^in \d+ of \d+ executions that differ from it at random, and no order was found that decides$`, `^for example with .* where this one has `},
	} {
		d := decided(t, control.Options{}, func() bool { return wrong }, func() bool { return noted }, func() {
			wrong, noted = false, false
			test.body()
		})
		for line, want := range map[string]string{d.Fails: test.fails, d.Passes: test.passes} {
			if got := inWords(t, line); !regexp.MustCompile(want).MatchString(got) {
				t.Errorf("%s: %s (%s)\nwant %s", name, got, line, want)
			}
		}
	}
}
