//go:build chaos

package pool_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/pool"
	"go.uber.org/goleak"
)

// bearable lists, by kind of fault, the points at which the protocol must bear it:
// all that pool and sleep declare, or what they are built on. Drops are fatal by
// design; a failing last look is, in the final check with a roll or a broadcast
// (PROTOCOLS 8.2, BUG-31), in a private wait with a job of its own.
func bearable() map[hooks.FaultKind][]string {
	points := map[hooks.FaultKind][]string{}
	for _, p := range seam.Points() {
		if room, _, _ := strings.Cut(p.Name, "/"); room != "pool" && room != "sleep" && room != "sync" && room != "atomic" {
			continue
		}
		for _, k := range p.Offers.Kinds() {
			if k != hooks.Drops && !(k == hooks.Fails && (p.Name == "sleep/final-check-post" || p.Name == "sleep/private-check-post")) {
				points[k] = append(points[k], p.Name)
			}
		}
	}
	return points
}

// faultKinds are the kinds of faults in plans, each as often as any other.
var faultKinds = []hooks.FaultKind{hooks.Delays, hooks.Yields, hooks.Duplicates, hooks.Fails, hooks.SpuriousWakes, hooks.Rolls}

// genPlan generates plans of one to four faults.
func genPlan() gopter.Gen {
	points := bearable()
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := rand.New(rand.NewPCG(p.NextUint64(), 0))
		plan := chaos.Plan{Seed: r.Uint64()}
		for range 1 + r.IntN(4) {
			kind := faultKinds[r.IntN(len(faultKinds))]
			at := points[kind][r.IntN(len(points[kind]))]
			f := chaos.Fault{At: at, Kind: kind, Probability: 0.05 + 0.45*r.Float64(), Count: 1 + r.IntN(20)}
			switch kind {
			case hooks.Delays:
				f.Max = time.Duration(1+r.IntN(1000)) * time.Microsecond
			case hooks.Rolls:
				f.By = int64(r.IntN(3)-1) * 2 // 0 means -2
			}
			plan.Faults = append(plan.Faults, f)
		}
		return gopter.NewGenResult(plan, shrinkPlan)
	}
}

// shrinkPlan leaves out one fault.
func shrinkPlan(v any) gopter.Shrink {
	plan, i := v.(chaos.Plan), -1
	return func() (any, bool) {
		if i++; i >= len(plan.Faults) || len(plan.Faults) == 1 {
			return nil, false
		}
		smaller := plan
		smaller.Faults = slices.Delete(slices.Clone(plan.Faults), i, i+1)
		return smaller, true
	}
}

// underPlan calls execute under a plan, and returns what was wrong and how often
// each fault has fired.
func underPlan(t *testing.T, plan chaos.Plan, execute func() string) (wrong string, faults []native.FaultCount) {
	t.Helper()
	bystanders := native.Baseline()
	e, err := native.Arm(plan)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Disarm()
	done := make(chan struct{})
	go func() {
		defer close(done)
		wrong = execute()
	}()
	if o := native.Watch(done, e, native.WithIgnored(bystanders)); o.Kind != native.Finished {
		// Fatal: goroutines stay behind, and whatever comes next would suffer.
		t.Fatalf("%v under %+v:\n%s", o.Kind, plan, o.Goroutines)
	}
	return wrong, e.Counts().Faults
}

// Catches: a window of the protocol in which a wakeup, a job or a result gets lost
// when a goroutine is slow there, a CAS loses, a wake is spurious or doubled, or the
// JEC rolls over: programs mean the same, no goroutine is stuck, nothing is left behind.
// And plans whose faults never fire, which would show nothing.
func TestProgramsUnderFaults(t *testing.T) {
	fired := map[string]uint64{}
	proptest.Check(t, 400, 60, prop.ForAll(func(root *forkjoin.Node, plan chaos.Plan, a, b int) string {
		before := goleak.IgnoreCurrent()
		wrong, faults := underPlan(t, plan, func() string { return execute(root, root, [2]int{a, b}, narrowWithSpares...) })
		for _, f := range faults {
			fired[f.Kind] += f.Fires
		}
		if wrong != "" {
			return wrong
		}
		if err := goleak.Find(before); err != nil {
			return err.Error()
		}
		return ""
	}, genProgram(), genPlan(), gen.IntRange(1, 3), gen.IntRange(1, 3)))
	for _, k := range faultKinds {
		if fired[k.String()] == 0 {
			t.Errorf("no %v has ever fired: %v", k, fired)
		}
	}
}

// The positive control. Catches: a watch that does not see a stuck pool, or faults
// that do not reach it: the only worker sleeps on with its broadcast queued.
func TestDroppedBroadcastIsStuck(t *testing.T) {
	p := newPool(t, 1)
	asleep(p)
	bystanders := native.Baseline()
	e, err := native.Arm(chaos.Plan{Faults: []chaos.Fault{{At: "pool/bcast-notify", Kind: hooks.Drops}}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := p.Broadcast(background, func(*pool.Worker) {}); err != nil {
			t.Error(err)
		}
	}()
	o := native.Watch(done, e, native.WithIgnored(bystanders))
	e.Disarm()
	if o.Kind != native.Stuck || !strings.Contains(o.Goroutines, "pool.(*Pool).Broadcast") {
		t.Errorf("%v, %d goroutines are blocked; want the broadcaster stuck:\n%s", o.Kind, len(o.Blocked), o.Goroutines)
	}
	if s := p.State(); s.Workers[0].Broadcasts != 1 || !s.Workers[0].Asleep {
		t.Errorf("the state does not name the victim:\n%s", s)
	}
	run(t, p, func(*pool.Worker) {}) // wakes it
	<-done
}

// Catches: two broadcasts that enter the workers' queues at the same time, and so
// reach them in different orders.
func TestBroadcastsKeepTheirOrderUnderDelays(t *testing.T) {
	p := newPool(t, 3)
	e, err := native.Arm(chaos.Plan{Seed: proptest.Seed(t), Faults: []chaos.Fault{
		{At: "pool/bcast-push", Kind: hooks.Delays, Probability: 0.2, Count: 100, Max: 300 * time.Microsecond},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Disarm()
	broadcastsConcurrently(t, p)
}
