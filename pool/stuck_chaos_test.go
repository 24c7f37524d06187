//go:build chaos

package pool_test

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/reproduce"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// judge distinguishes lost parallelism from a lost job: a job waits in the deque of a
// worker that runs another, and a worker sleeps that was not woken for it. Jobs
// from outside are in no worker's deque, and a worker that was woken and sleeps has lost the
// notification.
func judge(p *pool.Pool) control.Judge {
	return func(control.Result) (verdict.Verdict, string) {
		s := p.State()
		if s.Injected > 0 {
			return "", ""
		}
		waits, sleeper := -1, -1
		for _, w := range s.Workers {
			switch {
			case w.Notified || w.Broadcasts > 0:
				return "", ""
			case w.Asleep && w.Jobs > 0: // it would have to come to them itself
				return "", ""
			case w.Asleep:
				sleeper = w.Index
			case w.WaitsFor == "" && w.Jobs > 0:
				waits = w.Index
			}
		}
		if waits < 0 || sleeper < 0 {
			return "", ""
		}
		return verdict.LostParallelism, fmt.Sprintf("%d in the deque of worker %d, which runs a job; worker %d was not woken", s.Workers[waits].Jobs, waits, sleeper)
	}
}

// mustMeet runs, in a pool of three workers, a job that posts two others, all of which
// continue when all have begun.
func mustMeet(jec int) func(e *control.Engine) func() {
	const workers = 3
	return func(e *control.Engine) func() {
		return func() {
			p, err := pool.New(workers, pool.WithSleep(
				sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: jec}), sleep.WithRoundsUntilSleepy(0)))
			if err != nil {
				panic(err)
			}
			e.OnStuck(judge(p))
			var begun sync.WaitGroup
			begun.Add(workers)
			enter(p, func(w *pool.Worker) {
				for range workers - 1 {
					w.Go(func(*pool.Worker) { begun.Done(); begun.Wait() })
				}
				begun.Done()
				begun.Wait()
			})
			closed(p)
		}
	}
}

// failing explores the subject until an execution fails.
func failing(t *testing.T, subject func(e *control.Engine) func(), executions int, by strategy.Strategy, p plan.Plan) (n int, failure *control.Result) {
	t.Helper()
	e, err := control.New(control.Options{Strategy: by, Plan: p, Grace: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	body := subject(e)
	for n := range executions {
		if r, _ := e.Run(strategy.ChildKey(1, n), body); r.Verdict != verdict.Pass {
			r.Schedule = r.Schedule.Clone()
			return n, &r
		}
	}
	return executions, nil
}

// A counter of one bit may cost parallelism, as sleep/README says; the production
// width does not.
func TestThePoolLosesParallelism(t *testing.T) {
	n, failure := failing(t, mustMeet(1), 40_000, strategy.PCT(7), plan.Plan{})
	if failure == nil || failure.Verdict != verdict.LostParallelism {
		t.Fatalf("not found in %d executions: %+v", n, failure)
	}
	t.Logf("found in execution %d: %s", n, failure.Summary)
	reproduce.Result(t, control.Options{}, *failure, mustMeet(1))
	for _, by := range []strategy.Strategy{strategy.PCT(7), strategy.POS()} {
		if n, failure := failing(t, mustMeet(sleep.ProductionWidths.JEC), 1000, by, plan.Plan{}); failure != nil {
			t.Errorf("with the production width, by %s, execution %d: %s: %s", by.Name(), n, failure.Verdict, failure.Summary)
		}
	}
}

// The same jobs that wait for a notification which was lost are a deadlock.
func TestThePoolLosesANotification(t *testing.T) {
	drop := plan.Plan{Faults: []plan.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Count: 1}}}
	n, failure := failing(t, mustMeet(sleep.ProductionWidths.JEC), 1000, strategy.PCT(3), drop)
	if failure == nil || failure.Verdict != verdict.Deadlock {
		t.Fatalf("not found in %d executions: %+v", n, failure)
	}
	reproduce.Result(t, control.Options{}, *failure, mustMeet(sleep.ProductionWidths.JEC))
}

// What the strategies that are experiments lose in a pool, and the verdict on it; ""
// where they lose nothing that these programs see. The counter does not roll over.
var lossyVerdicts = map[string]map[string]verdict.Verdict{
	"jec-readme":     {"posts": "", "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
	"rfc5":           {"posts": verdict.LostWakeup, "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
	"rfc5-no-sleepy": {"posts": verdict.LostWakeup, "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
}

func TestLossyStrategiesLose(t *testing.T) {
	executions := 3000
	if raceDetector() || testing.Short() {
		executions = 500
	}
	k := killer{workers: 2, jobs: 2, jec: 32}
	for _, v := range sleep.Variants() {
		if !v.Lossy {
			continue
		}
		for name, use := range map[string]struct {
			use   func(words string) (kill.Program, error)
			words string
		}{
			"posts":      {k.program(posts), ""},
			"posts meet": {k.program(posts), "meet "},
			"broadcasts": {k.program(allWorkers), ""},
		} {
			p, err := use.use(use.words + v.Name)
			if err != nil {
				t.Fatal(err)
			}
			got := verdict.Verdict("")
			n, failure := failing(t, func(e *control.Engine) func() { return func() { p.Body(e) } }, executions, strategy.PCTCycle(), plan.Plan{})
			if failure != nil {
				got = failure.Verdict
				t.Logf("%s, %s: %s in execution %d: %s", v.Name, name, got, n, failure.Summary)
			}
			if want, said := lossyVerdicts[v.Name][name]; !said || got != want {
				t.Errorf("%s, %s: %q in %d executions, want %q", v.Name, name, got, n, want)
			}
		}
	}
}
