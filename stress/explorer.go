package stress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
)

// An explorer runs executions of a controlled scenario in this process, which can
// have one at a time.
type explorer struct {
	*explore.Search
	scenario *Scenario
	workload Workload
	lookTime time.Duration
	alive    func() // if not nil, called before each execution and repetition

	x     *execution // the last one
	scene scene      // where it got stuck, if it did
}

// batchSize is how many executions of a controlled scenario make a batch: see explore.Batches.
const batchSize = 128

// newExplorer installs the process's engine. Close must follow.
func newExplorer(sc *Scenario, campaignSeed uint64) (*explorer, error) {
	return newExplorerOf(sc, workloadOf(sc), campaignSeed)
}

func newExplorerOf(sc *Scenario, w Workload, campaignSeed uint64) (*explorer, error) {
	e := &explorer{scenario: sc, workload: w, lookTime: defaultLookTime}
	if _, err := strategy.Parse(sc.strategy()); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	batches := explore.NewBatches(func() strategy.Strategy {
		by, _ := strategy.Parse(sc.strategy()) // it has just been parsed
		return by
	}, batchSize, len(sc.Pool.Workers))
	grace := time.Duration(0)
	if sc.guest == nil {
		grace = -1 // nothing that the pool's workloads do is outside
	}
	var err error
	e.Search, err = explore.New(explore.Options{
		Engine: control.Options{
			Plan: chaos.Plan{Faults: sc.Plan}, MaxSteps: cmp.Or(sc.MaxSteps, DefaultMaxSteps), MaxSpins: maxSpins, Clock: sc.Clock, Grace: grace,
		},
		Batches: batches,
		Seed: func(n int) uint64 {
			if batches.Exhaustive() { // it expects the same subject each time
				n = 0
			}
			return executionSeed(campaignSeed, sc.Name, n)
		},
		Body: func(x strategy.Execution) func() {
			if e.alive != nil {
				e.alive()
			}
			return e.body(e.Engine, x)
		},
		Judge: e.judge,
		Site:  siteOf,
	})
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return e, nil
}

// maxSpins makes a livelock one before DefaultMaxSteps cuts it: no bounded loop of a
// workload, or of the pool, is as long.
const maxSpins = 1000

// body returns what the first task of an execution runs.
func (e *explorer) body(engine *control.Engine, x strategy.Execution) func() {
	return func() {
		e.x = &execution{
			scenario: e.scenario, sizes: e.workload.sizes(e.scenario), workers: e.scenario.Pool.sizeOf(x.Number),
			seed: x.Seed, controlled: true,
		}
		e.scene = scene{}
		engine.OnStuck(e.stuck)
		e.x.run(e.workload)
	}
}

// defaultLookTime is how long the look at a stuck subject may take: it takes locks, and
// whoever is stuck may hold one.
const defaultLookTime = 2 * time.Second

// stuck is the control.Judge: it looks at the subject while all its tasks stand where
// they stopped.
func (e *explorer) stuck(r control.Result) (Verdict, string) {
	x, seen := e.x, make(chan scene, 1)
	go func() { seen <- x.scene() }()
	select {
	case e.scene = <-seen:
	case <-time.After(e.lookTime):
		e.scene = scene{blind: true}
	}
	d := e.scene.diagnose(fired(r.Schedule.Fires))
	if d.verdict == Deadlock || r.Verdict == Livelock && d.verdict == LostParallelism {
		return "", "" // the engine knows more
	}
	return d.verdict, d.summary
}

// judge asks the oracles about the last execution. What the gravest finding says may have several lines.
func (e *explorer) judge(r control.Result) control.Result {
	switch r.Verdict {
	case Pass:
		if found := e.x.findings(); len(found) > 0 {
			r.Verdict, r.Summary = found[0].verdict, found[0].summary
		}
	case Panicked:
		r.Verdict = verdict.OfPanic(r.Summary)
	}
	r.Effect = r.Verdict
	return r
}

// result returns what is reported of an execution, without its explanation.
func (e *explorer) result(x strategy.Execution, r control.Result) Result {
	return Result{
		Execution: x.Number, Seed: x.Seed, Workers: e.scenario.Pool.sizeOf(x.Number),
		Verdict: r.Verdict, Summary: firstLine(r.Summary), Faults: fired(r.Schedule.Fires),
	}
}

// explain explains the failure of an execution that has just been traced.
func (e *explorer) explain(x strategy.Execution, traced explore.Trace) Result {
	r := e.result(x, traced.Result)
	r.Events = explain.Table(traced.Events)
	if len(e.scene.pools) > 0 || len(e.scene.others) > 0 || e.scene.blind || e.scene.guest {
		r.State = e.scene.String()
		d, t := e.scene.diagnose(r.Faults), controlledTale(traced.Events, traced.Schedule.Fires, e.Engine.Path)
		var why explain.Wakeup
		if d.guest != nil || d.sleeper() != "" {
			why = traced.Explain(d.sleeper())
		}
		r.Explanation, r.Events = d.explain(t, why), explain.Table(traced.Events, why.Cited...)
	}
	for _, t := range traced.Tasks {
		r.Goroutines += t.String()
	}
	if traced.Detail != "" {
		r.Goroutines += traced.Detail
	}
	if _, rest, ok := strings.Cut(traced.Summary, "\n"); ok {
		r.Explanation = strings.Split(strings.TrimRight(rest, "\n"), "\n")
	}
	return r
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// fired counts the faults that were carried out.
func fired(fires []strategy.Fire) (all []FaultCount) {
	for _, f := range fires {
		c := FaultCount{At: f.Point, Kind: f.Kind.String()}
		i := slices.IndexFunc(all, func(b FaultCount) bool { return b.At == c.At && b.Kind == c.Kind })
		if i < 0 {
			i = len(all)
			all = append(all, c)
		}
		all[i].Fires++
	}
	return all
}

// workloadOf is the scenario's, which the loader has checked.
func workloadOf(sc *Scenario) Workload {
	if sc.guest != nil {
		return sc.guest.workload
	}
	all := Workloads()
	i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == sc.Workload })
	if i < 0 {
		panic(fmt.Sprintf("stress: scenario %s: no workload %q", sc.Name, sc.Workload))
	}
	return all[i]
}

// executeControlled runs execution n of a controlled scenario, and before it what else
// of its batch its strategy learns from.
func executeControlled(sc *Scenario, campaignSeed uint64, n int) Result {
	e, err := newExplorer(sc, campaignSeed)
	if err != nil {
		panic(fmt.Sprintf("stress: %v", err)) // the loader has checked the scenario
	}
	defer e.Close()
	start := time.Now()
	x := e.Execution(n)
	_, failed := e.Explore(explore.Range{From: e.Batches.Of(n) * batchSize, Judge: n, To: n + 1})
	r := e.result(x, failed)
	if failed.Verdict != Pass {
		r = e.explain(x, e.Trace(x, failed.Schedule.Clone()))
	}
	r.Duration = time.Since(start)
	return r
}

// siteOf returns where a failure shows, for comparing two: where the tasks stand that cannot go on,
// or what a panic says.
func siteOf(r control.Result) string {
	var places []string
	for _, t := range r.Tasks {
		places = append(places, t.Place())
	}
	if len(places) == 0 {
		_, said, _ := strings.Cut(firstLine(r.Summary), "panic: ")
		return said
	}
	slices.Sort(places)
	return strings.Join(slices.Compact(places), "; ")
}
