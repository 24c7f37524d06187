package pool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// Subject describes the pool, with the campaign of scenarios.yaml and these commands in addition.
func Subject(commands ...func() *cobra.Command) subject.Subject {
	return target(workloads(), commands...).Subject()
}

func target(workloads []workload, commands ...func() *cobra.Command) subject.Target[*execution] {
	t := subject.Target[*execution]{
		Name:      "pool",
		Scenarios: rouse.Scenarios,
		Commands:  commands,
		Params:    params,
		Variants:  variants(),
		Rehearsal: map[string]string{"rounds": "0"}, // workers that are sleepy at once
		Grace:     -1,                               // the workloads do nothing outside
		New:       newExecution,
		State:     (*execution).state,
		Diagnose:  (*execution).diagnose,
		JudgeFaults: func(_ *subject.Execution, x *execution, fired []subject.Fired) {
			x.report(spuriousWakes(x.sleepStats(), fired))
		},
	}
	for _, w := range workloads {
		t.Workloads = append(t.Workloads, w.work())
	}
	return t
}

const (
	maxWorkers  = 256     // of one pool: the pool, not the machine, is to be stressed
	maxDeque    = 1 << 12 // slots of each worker
	maxInjected = 100_000 // the most jobs of a workload
)

// params are the parameters for building a pool.
var params = []subject.Param{
	subject.Count{Name: "workers", About: "Pool sizes to go through, by execution number.", Most: maxWorkers, Required: true, List: true},
	subject.Count{Name: "jec-bits", About: "Width of the jobs event counter, or several to go through. Absent: production width.", Most: 62, Optional: true, List: true},
	subject.Count{Name: "thread-bits", About: "Width of the two thread counters. Absent: production width.", Most: 30, Optional: true},
	subject.Text{Name: "initial-jec", About: "Where the counter starts; max is its last value before it wraps. Absent: 0.",
		Pattern: `max|[0-9][0-9a-fA-Fx_]*`, Want: "a whole number or max"},
	subject.Count{Name: "rounds", About: "Failed searches until a worker is sleepy. Absent: production value.", Most: 1_000_000, Zero: true, Optional: true},
	subject.Count{Name: "deque-capacity", About: "Room of a deque before it grows, a power of two. Absent: production value.", Of: powersOfTwo(maxDeque), Optional: true},
	subject.Count{Name: "max-injected", About: "Jobs from outside that may wait for a worker, in each pool. Absent: any number.", Most: maxInjected, Optional: true},
}

func powersOfTwo(most int) (all []int) {
	for v := 1; v <= most; v *= 2 {
		all = append(all, v)
	}
	return all
}

// variants are the strategies of package sleep.
func variants() (all []subject.Variant) {
	for _, s := range sleep.Variants() {
		all = append(all, subject.Variant{Name: s.Name, About: s.About, Lossy: s.Lossy})
	}
	return all
}

// A workload uses a pool in some way. Its goroutines interact only through package
// hooks, so that it runs under control as well.
type workload struct {
	name, about string
	// uses are the names of the sizes that the workload takes.
	uses []string
	// defaults are the sizes in scenarios that do not set them; small likewise under control,
	// where each interleaving counts, and a pause would let all tasks come to rest.
	defaults, small sizes
	// bound is the maximum of each size that has a lower maximum than in mostSizes; boundWhy says why the
	// workload needs it.
	bound    sizes
	boundWhy string
	// spares returns the number of spare workers that it may need at a time, in addition to a pool's own; nil: none.
	spares func(s sizes) int
	// most is the size of the largest pool for which it makes sense; 0 is no bound. least
	// is that of the smallest; 0 is 1.
	least, most int
	// nativeOnly is why it does not run under control; "": it does.
	nativeOnly string
	run        func(x *execution)
}

// workloads returns all workloads, by name.
func workloads() []workload {
	all := []workload{
		blockingWorkload, boundedWorkload, broadcastWorkload, broadcastsWorkload, cancelWorkload, churnWorkload, closingWorkload, crossingWorkload,
		crowdWorkload, dataWorkload, defaultWorkload, groupsWorkload, handlersWorkload, incrementWorkload, injectWorkload, isolatedWorkload, joinWorkload, latchesWorkload, leaversWorkload,
		loopsWorkload, meetWorkload, meetInsideWorkload, mutualWorkload, nbodyWorkload, orderWorkload, panicsWorkload, programWorkload,
		queuedWorkload, scopesWorkload, stormWorkload, storyWorkload, trickleWorkload, typedWorkload, wakeupsWorkload,
	}
	slices.SortFunc(all, func(a, b workload) int { return strings.Compare(a.name, b.name) })
	return all
}

// work returns the workload as a subject.Work.
func (w workload) work() subject.Work[*execution] {
	return subject.Work[*execution]{
		Name: w.name, About: w.about, Params: w.params(), Check: w.check,
		Run: func(_ *subject.Execution, x *execution) {
			if w.spares != nil {
				x.spares = maxBlocked // spares that are about to end count as well
			}
			w.run(x)
		},
	}
}

// params are the sizes that the workload takes.
func (w *workload) params() (all []subject.Param) {
	for _, p := range []struct {
		name, about   string
		normal, small int
		most, bound   int
	}{
		{"jobs", "Jobs of each injector, spawns of each scope.", w.defaults.jobs, w.small.jobs, mostSizes.jobs, w.bound.jobs},
		{"injectors", "Goroutines that post from outside.", w.defaults.injectors, w.small.injectors, mostSizes.injectors, w.bound.injectors},
		{"depth", "Depth of recursion or nesting.", w.defaults.depth, w.small.depth, mostSizes.depth, w.bound.depth},
		{"leaf", "Elements that a leaf of a loop, or of a reduction, has at most.", w.defaults.leaf, w.small.leaf, mostSizes.leaf, w.bound.leaf},
		{"repeat", "How often the workload is repeated on one pool.", w.defaults.repeat, w.small.repeat, mostSizes.repeat, w.bound.repeat},
	} {
		if !slices.Contains(w.uses, p.name) {
			continue
		}
		c := subject.Count{Name: p.name, About: p.about, Default: p.normal, Small: p.small, Most: p.most}
		if p.bound > 0 {
			c.Most, c.Why = p.bound, fmt.Sprintf("the workload %s %s", w.name, w.boundWhy)
		}
		all = append(all, c)
	}
	if slices.Contains(w.uses, "pause") {
		s := subject.Span{Name: "pause", About: "Between posts, so that workers fall asleep; above 0, at most 10s.",
			Default: w.defaults.pause, Small: w.small.pause, Most: maxPause}
		if s.Small == 0 {
			s.Small = subject.None
		}
		all = append(all, s)
	}
	return all
}

// check refuses parameters that do not fit together, and sizes that are too large.
func (w *workload) check(v subject.Values) error {
	wrong := func(name, format string, args ...any) error {
		return &subject.ParamError{Name: name, Problem: fmt.Sprintf(format, args...)}
	}
	jecBits, threadBits := widths(v)
	workers, counted := v.Count("workers"), 1<<threadBits-1
	if n := jecBits + 2*threadBits; n > 64 {
		at := "jec-bits"
		if !v.Given(at) {
			at = "thread-bits"
		}
		return wrong(at, "%d jec-bits and twice %d thread-bits are %d bits, want at most 64", jecBits, threadBits, n)
	}
	if text := v.Text("initial-jec"); text != "" {
		if _, ok := initialJEC(text, jecBits); !ok {
			return wrong("initial-jec", "found %s, want at most %d (max): %d jec-bits count no further", text, uint64(1)<<jecBits-1, jecBits)
		}
	}
	switch {
	case w.nativeOnly != "" && v.Controlled():
		return fmt.Errorf("the workload %s is for native scenarios: %s", w.name, w.nativeOnly)
	case workers > counted:
		return wrong("workers", "found %d, want a whole number from 1 to %d: %d thread-bits count no further", workers, counted, threadBits)
	case workers < w.least:
		return wrong("workers", "found %s, want at least %d: the workload %s is for no less", prose.Plural(workers, "worker"), w.least, w.name)
	case w.most > 0 && workers > w.most:
		return wrong("workers", "found %s, want at most %d: the workload %s is for no more", prose.Plural(workers, "worker"), w.most, w.name)
	}
	s := sizesOf(v)
	if w.spares != nil && workers+w.spares(s) > counted {
		return wrong("thread-bits", "found %d thread-bits, which count no further than %d, want %d: the workload %s may need %s in addition to the workers",
			threadBits, counted, workers+w.spares(s), w.name, prose.Plural(w.spares(s), "spare"))
	}
	c := costs[w.name]
	if c.jobs(s, float64(workers)) > maxJobs {
		return fmt.Errorf("the workload %s comes to more than %d jobs in an execution, want at most so many", w.name, maxJobs)
	}
	if c.pauses(s)*float64(s.pause) > float64(maxPause) {
		return fmt.Errorf("the pauses of the workload %s come to more than %s in an execution, want at most that", w.name, maxPause)
	}
	return nil
}
