//go:build chaos

package pool

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// TestDequeLooksEmptyOnlyIfItWas: a deque that holds a job all the time is never seen without one, also if
// another job is pushed and one is stolen during the look.
func TestDequeLooksEmptyOnlyIfItWas(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var d deque
		d.init(2)
		d.push(newNumbered(0))
		var over sync.WaitGroup
		over.Add(2)
		go hooks.Task(func() { // the owner
			defer over.Done()
			d.push(newNumbered(1))
			go hooks.Task(func() { // a thief of one of the two
				defer over.Done()
				if j, _ := d.steal(); j == nil {
					c.Errorf("nothing was stolen")
				}
			})()
		})()
		if n := d.len(); n == 0 {
			c.Errorf("a deque that has held 1 or 2 jobs seems to be empty")
		}
		over.Wait()
	}, chaos.WithExecutions(300))
}

// raced is the deque that ships: its owner pushes two jobs and pops two, and a thief
// tries to steal as many.
func raced(e *control.Engine) func() {
	return func() {
		var d deque
		d.init(2)
		jobs := [2]job{}
		var mu sync.Mutex
		taken := make(map[*job]bool)
		take := func(j *job) {
			if j == nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if taken[j] {
				e.Fail(verdict.DuplicateTask, "a job is taken twice")
			}
			taken[j] = true
		}
		d.push(&jobs[0])
		d.push(&jobs[1])
		e.Go(func() {
			for range 2 {
				j, _ := d.steal()
				take(j)
			}
		})
		take(d.pop())
		take(d.pop())
	}
}

// The owner's end of the deque declares its orders, and they suffice: all schedules,
// by DPOR. Without the fence of pop a job is run twice, on any memory but Go's.
func TestDequeDeclaresWhatItNeeds(t *testing.T) {
	for _, m := range []control.Memory{control.SC, control.TSO, control.Views} {
		for _, without := range [][]string{nil, {"pool.(*deque).pop"}} {
			s := strategy.DPOR()
			e, err := control.New(control.Options{Memory: m, WithoutFences: without, Strategy: s, Grace: -1})
			if err != nil {
				t.Fatal(err)
			}
			body := raced(e)
			var failure control.Result
			n := 0
			for ; failure.Verdict == ""; n++ {
				r, more := e.Run(1, body)
				if !more {
					break
				}
				if r.Verdict != verdict.Pass {
					failure = r
				}
			}
			e.Close()
			switch want := m != control.SC && without != nil; {
			case !want && !s.(strategy.Exhaustive).Complete():
				t.Errorf("%v, without %q: not all schedules were run: %s (%s: %s) in execution %d: %s", m, without, failure.Verdict, failure.Effect, failure.Summary, n, failure.Cause)
			case want && (failure.Verdict != verdict.ReliesOnSC || failure.Effect != verdict.DuplicateTask):
				t.Errorf("%v, without %q: %+v after %d executions", m, without, failure, n)
			}
			t.Logf("%v, without %q: %d executions; %s %s", m, without, n, failure.Verdict, failure.Cause)
		}
	}
}
