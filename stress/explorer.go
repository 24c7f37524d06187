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
)

// An explorer runs executions of a controlled scenario in this process, which can
// have one at a time.
type explorer struct {
	scenario     *Scenario
	workload     Workload
	campaignSeed uint64
	engine       *control.Engine
	series       *series

	began    func(sc *Scenario, n int) // called before each execution
	lookTime time.Duration

	x     *execution // the last one
	scene scene      // where it got stuck, if it did
}

// newExplorer makes the process's engine. Close must follow.
func newExplorer(sc *Scenario, campaignSeed uint64) (*explorer, error) {
	return newExplorerOf(sc, workloadOf(sc), campaignSeed)
}

func newExplorerOf(sc *Scenario, w Workload, campaignSeed uint64) (*explorer, error) {
	e := &explorer{scenario: sc, workload: w, campaignSeed: campaignSeed, lookTime: defaultLookTime}
	s, by, err := newSeries(sc)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	e.series = s
	grace := time.Duration(0)
	if sc.guest == nil {
		grace = -1 // nothing that the pool's workloads do is outside
	}
	e.engine, err = control.New(control.Options{
		Strategy: by, Plan: chaos.Plan{Faults: sc.Plan}, MaxSteps: cmp.Or(sc.MaxSteps, DefaultMaxSteps), MaxSpins: maxSpins, Clock: sc.Clock, Grace: grace,
	})
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return e, nil
}

// maxSpins makes a livelock one before DefaultMaxSteps cuts it: no bounded loop of a
// workload, or of the pool, is as long.
const maxSpins = 1000

func (e *explorer) close() { e.engine.Close() }

// seed is that of execution n. Exhaustive strategies expect the same subject each
// time.
func (e *explorer) seed(n int) uint64 {
	if e.series.exhaustive {
		n = 0
	}
	return executionSeed(e.campaignSeed, e.scenario.Name, n)
}

// body is what the first task of execution n does.
func (e *explorer) body(n int, seed uint64) func() {
	return func() {
		e.x = &execution{
			scenario: e.scenario, sizes: e.workload.sizes(e.scenario), workers: e.scenario.Pool.sizeOf(n),
			seed: seed, controlled: true,
		}
		e.scene = scene{}
		e.engine.OnStuck(e.stuck)
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

// run runs execution n and judges it. It returns false if the strategy has explored
// all there is with that pool size.
func (e *explorer) run(n int) (control.Result, finding, bool) {
	e.series.number = n
	seed := e.seed(n)
	r, more := e.engine.Run(seed, e.body(n, seed))
	if !more {
		return r, finding{}, false
	}
	return r, e.judge(r), true
}

// judge asks the oracles about the last execution.
func (e *explorer) judge(r control.Result) finding {
	if r.Verdict == Pass {
		if found := e.x.findings(); len(found) > 0 {
			return found[0]
		}
	}
	if r.Verdict == Panicked {
		return finding{verdict.OfPanic(r.Summary), r.Summary}
	}
	return finding{r.Verdict, r.Summary}
}

// guardEvery is how many executions come to one that is run twice, to see whether
// the same decisions lead to the same trace.
const guardEvery = 64

// tell repeats an execution that was convicted, and says how that came about.
func (e *explorer) tell(n int, seed uint64, s strategy.Schedule) (r Result, events []control.Event, traced control.Result) {
	traced, events = e.engine.Trace(s, e.body(n, seed))
	found := e.judge(traced)
	r = Result{
		Execution: n, Seed: seed, Workers: e.scenario.Pool.sizeOf(n),
		Verdict: found.verdict, Summary: firstLine(found.summary),
		Events: explain.Table(events), Faults: fired(traced.Schedule.Fires),
	}
	if len(e.scene.pools) > 0 || len(e.scene.others) > 0 || e.scene.blind || e.scene.guest {
		r.State = e.scene.String()
		d, t := e.scene.diagnose(r.Faults), controlledTale(events, traced.Schedule.Fires, e.engine.Path)
		why := e.wakeup(d, events, traced, e.body(n, seed))
		r.Explanation, r.Events = d.explain(t, why), explain.Table(events, why.Cited...)
	}
	for _, t := range traced.Tasks {
		r.Goroutines += t.String()
	}
	if traced.Detail != "" {
		r.Goroutines += traced.Detail
	}
	if _, rest, ok := strings.Cut(found.summary, "\n"); ok {
		r.Explanation = strings.Split(strings.TrimRight(rest, "\n"), "\n")
	}
	return r, events, traced
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
	defer e.close()
	start := time.Now()
	r := Result{Execution: n, Seed: e.seed(n), Workers: sc.Pool.sizeOf(n), Verdict: Pass}
	for i := e.series.batchOf(n) * batchSize; i <= n; i++ {
		result, found, more := e.run(i)
		if more && i == n && found.verdict != Pass {
			r, _, _ = e.tell(n, e.seed(n), result.Schedule.Clone())
		}
	}
	r.Duration = time.Since(start)
	return r
}

// wakeup explains why the diagnosed sleeper sleeps, by repeating the execution, which is
// the engine's last afterwards as well.
func (e *explorer) wakeup(d diagnosis, events []control.Event, r control.Result, body func()) explain.Wakeup {
	if d.guest == nil && d.sleeper() == "" {
		return explain.Wakeup{}
	}
	w := explain.Explain(events, r.Tasks, e.engine.Experiments(r.Schedule, body), d.sleeper())
	e.engine.Repeat(r.Schedule, body)
	return w
}
