//go:build chaos

package pool

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
)

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
