//go:build chaos

package pool_test

import (
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// searched has work in all places where a search looks: in the injector, in deques, and
// what was broadcast.
func searched(workers int, variant string, s *pool.Searches) {
	p, err := pool.New(workers, pool.WithDequeCapacity(1), pool.WithSpares(0), pool.WithSleep(atOnce(variant, 1)...), s.Watch())
	if err != nil {
		panic(err)
	}
	start(p, func(w *pool.Worker) {
		w.Go(func(*pool.Worker) {})
		w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
	})
	if err := p.GoBroadcast(func(*pool.Worker) {}); err != nil {
		panic(err)
	}
	start(p, func(*pool.Worker) {})
	closed(p)
}

// searching explores searched, and returns what was seen in all executions together, up
// to the first that overlooked something. A variant that loses jobs may get stuck.
func searching(t *testing.T, workers int, v sleep.Variant, by strategy.Strategy, p plan.Plan, executions int) (seen *pool.Searches, n int) {
	t.Helper()
	seen = new(pool.Searches)
	e, err := control.New(control.Options{Strategy: by, Plan: p, Grace: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for n < executions && len(seen.Overlooked) == 0 {
		s := &pool.Searches{Controlled: true}
		r, more := e.Run(strategy.ChildKey(1, n), func() { searched(workers, v.Name, s) })
		if !more {
			break
		}
		n++
		if r.Verdict != verdict.Pass && !v.Lossy && len(p.Faults) == 0 {
			t.Errorf("%s, %d workers: %s in execution %d by %s: %s", v.Name, workers, r.Verdict, n, by.Name(), r.Summary)
			break
		}
		seen.Failed += s.Failed
		seen.Looked += s.Looked
		seen.Overlooked = s.Overlooked
	}
	return seen, n
}

// Under control, with every strategy, also those that lose jobs: the search is the pool's.
func TestSearchesFindWhatWasThereUnderControl(t *testing.T) {
	executions := 300
	if raceDetector() || testing.Short() {
		executions = 20
	}
	for _, v := range sleep.Variants() {
		for _, workers := range []int{2, 3} {
			failed, looked := 0, 0
			for _, by := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle(), strategy.POS()} {
				s, n := searching(t, workers, v, by, plan.Plan{}, executions)
				if len(s.Overlooked) > 0 {
					t.Errorf("%s, %d workers, execution %d by %s: %s", v.Name, workers, n, by.Name(), s.Overlooked)
				}
				failed, looked = failed+s.Failed, looked+s.Looked
			}
			t.Logf("%s, %d workers: %d failed searches, %d jobs that were there before, and others took", v.Name, workers, failed, looked)
			if looked == 0 {
				t.Errorf("%s, %d workers: no failed search had anything to miss", v.Name, workers)
			}
		}
	}
}

// Natively, with delays between the places where a search looks.
func TestSearchesFindWhatWasThereUnderDelays(t *testing.T) {
	failed, looked := 0, 0
	proptest.Check(t, 100, 60, prop.ForAll(func(root *forkjoin.Node, seed uint64, a, b, variant int) string {
		s := new(pool.Searches)
		late := func(at string) chaos.Fault {
			return chaos.Fault{At: at, Kind: hooks.Delays, Probability: 0.2, Count: 20, Max: 300 * time.Microsecond}
		}
		slow := chaos.Plan{Seed: seed, Faults: []chaos.Fault{late("pool/search-begin"), late("pool/search-victim"), late("pool/search-injector"), late("pool/deque-steal-read")}}
		options := append([]pool.Option{pool.WithSleep(lossless()[variant].Options...), s.Watch()}, narrowWithSpares...)
		wrong, _ := underPlan(t, slow, func() string { return execute(root, root, [2]int{a, b}, options...) })
		failed, looked = failed+s.Failed, looked+s.Looked
		return wrong + strings.Join(s.Overlooked, "\n")
	}, genProgram(), gen.UInt64(), gen.IntRange(1, 3), gen.IntRange(1, 3), gen.IntRange(0, len(lossless())-1)))
	t.Logf("%d failed searches, %d jobs that were there before, and others took", failed, looked)
	if looked == 0 {
		t.Error("no failed search had anything to miss")
	}
}

// The positive control: faults that make searches overlook something.
func TestSearchesThatOverlookAreSeen(t *testing.T) {
	for at, want := range map[string]string{
		"pool/search-victim":   "in the deque of worker",
		"pool/search-injector": "in the injector",
	} {
		for _, name := range []string{"jec", "tickle", "rfc5"} {
			v, _ := sleep.VariantNamed(name)
			fault := chaos.Plan{Faults: []chaos.Fault{{At: at, Kind: hooks.Fails, Probability: 0.5}}}
			s, n := searching(t, 2, v, strategy.PCTCycle(), fault, 20_000)
			if len(s.Overlooked) == 0 || !strings.Contains(s.Overlooked[0], want) {
				t.Errorf("%s, fail at %s: %q in %d executions", name, at, s.Overlooked, n)
			}
			t.Logf("%s, fail at %s: execution %d", name, at, n)
		}
	}
}
