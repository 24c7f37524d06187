package run

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
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// An explorer runs executions of a controlled scenario in this process, which can
// have one explorer at a time.
type explorer struct {
	*explore.Search
	scenario *scenario.Scenario
	workload *subject.Workload
	values   []subject.Values // by setting
	lookTime time.Duration
	alive    func() // if not nil, called before each execution and repetition

	x         *subject.Execution // the last one
	inspected *inspection        // nil if it did not get stuck
}

// explorer returns an explorer that has no engine yet.
func (r *Runner) explorer(sc *scenario.Scenario) *explorer {
	of, w := r.subject(sc)
	e := &explorer{scenario: sc, workload: w, lookTime: defaultLookTime}
	for n := range sc.Settings() {
		e.values = append(e.values, sc.Values(of, n))
	}
	return e
}

// newExplorer returns an explorer and installs the process's engine. The caller must call Close.
func (r *Runner) newExplorer(sc *scenario.Scenario, campaignSeed uint64) (*explorer, error) {
	e := r.explorer(sc)
	of, _ := r.subject(sc)
	if _, err := strategy.Parse(sc.StrategyName()); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	batches := explore.NewBatches(func() strategy.Strategy {
		by, _ := strategy.Parse(sc.StrategyName()) // it has just been parsed
		return by
	}, scenario.BatchSize, sc.Settings())
	var err error
	e.Search, err = explore.New(explore.Options{
		Engine: control.Options{
			Plan: chaos.Plan{Faults: sc.Plan}, MaxSteps: cmp.Or(sc.MaxSteps, scenario.DefaultMaxSteps), MaxSpins: maxSpins, Clock: sc.Clock, Grace: of.Grace,
			Patience: r.patience(),
		},
		Batches: batches,
		Seed: func(n int) uint64 {
			if batches.Exhaustive() { // an exhaustive strategy expects the same subject each time
				n = 0
			}
			return subject.Seed(campaignSeed, sc.Name, n)
		},
		Body: func(x strategy.Execution) func() {
			if e.alive != nil {
				e.alive()
			}
			return e.body(e.Engine, x)
		},
		Judge: e.judge,
	})
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return e, nil
}

// maxSpins is the number of rounds of a loop that count as a livelock, well before DefaultMaxSteps cuts the execution:
// no bounded loop of a workload, or of the subject, is as long.
const maxSpins = 1000

// body returns what the first task of an execution runs.
func (e *explorer) body(engine *control.Engine, x strategy.Execution) func() {
	return func() {
		e.x = e.workload.Execution(e.values[x.Number%len(e.values)], x.Seed)
		e.inspected = nil
		engine.OnStuck(e.stuck)
		e.x.Run()
	}
}

// stuck is the control.Judge. It inspects the subject while its tasks are where they stopped.
func (e *explorer) stuck(r control.Result) (verdict.Verdict, string) {
	x, faults := e.x, faultsOf(fired(r.Schedule.Fires))
	e.inspected = inspect(e.lookTime, func() *inspection {
		return &inspection{x.State(), x.Diagnose(subject.Stuck{Faults: faults})}
	})
	d := e.inspected.diagnosis
	if d == nil || d.Verdict == verdict.Deadlock || r.Verdict == verdict.Livelock && d.Verdict == verdict.LostParallelism {
		return "", "" // the engine knows more
	}
	return d.Verdict, d.Summary
}

// judge runs the oracles on the last execution. The summary is that of the gravest finding, and may have
// several lines.
func (e *explorer) judge(r control.Result) control.Result {
	switch r.Verdict {
	case verdict.Pass:
		if len(e.scenario.Plan) > 0 {
			e.x.JudgeFaults(faultsOf(fired(r.Schedule.Fires)))
		}
		if found := byGravity(e.x.Findings()); len(found) > 0 {
			r.Verdict, r.Summary = found[0].Verdict, found[0].Summary
		}
	case verdict.Panicked:
		r.Verdict = verdict.OfPanic(r.Summary)
	}
	r.Effect = r.Verdict
	return r
}

// result returns the reported result of an execution, without its explanation.
func (e *explorer) result(x strategy.Execution, r control.Result) outcome.Result {
	return outcome.Result{
		Execution: x.Number, Seed: x.Seed, Setting: e.scenario.Setting(x.Number),
		Verdict: r.Verdict, Summary: firstLine(r.Summary), Faults: fired(r.Schedule.Fires),
	}
}

// explain explains the failure of an execution that has just been traced.
func (e *explorer) explain(x strategy.Execution, traced explore.Trace) outcome.Result {
	r, _ := e.explained(x, traced, false)
	return r
}

// explained is like explain, but also returns what the events show, for a timeline. If always is set, it does so even
// if the subject's diagnosis explains the failure.
func (e *explorer) explained(x strategy.Execution, traced explore.Trace, always bool) (outcome.Result, explain.Wakeup) {
	r, schedule, inspected := e.result(x, traced.Result), traced.Schedule.Clone(), e.inspected
	var why explain.Wakeup
	if inspected != nil {
		r.State = inspected.state
		d := inspected.diagnosis
		if d == nil {
			d = &subject.Diagnosis{Verdict: verdict.Deadlock}
		}
		if d.Verdict != verdict.Deadlock && (len(d.Checks) == 0 || d.Sleeper != "") {
			why = traced.Explain(d.Sleeper)
		}
		t := controlledTimeline(traced.Events, schedule.Fires, e.Engine.Path)
		r.Explanation = t.explain(d, r.Faults, why)
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
	if always && len(why.Cited) == 0 {
		why = traced.Explain("")
	}
	why = traced.Order(schedule, why) // last: it runs further executions
	r.Explanation = append(r.Explanation, explain.Wakeup{Closed: why.Closed, Difference: why.Difference}.Lines()...)
	r.Events = explain.NewTable(traced.Events, why.Cited, nil, nil).Text(0)
	return r, why
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// fired counts the faults that were carried out.
func fired(fires []strategy.Fire) (all []outcome.FaultCount) {
	for _, f := range fires {
		c := outcome.FaultCount{At: f.Point, Kind: f.Kind.String()}
		i := slices.IndexFunc(all, func(b outcome.FaultCount) bool { return b.At == c.At && b.Kind == c.Kind })
		if i < 0 {
			i = len(all)
			all = append(all, c)
		}
		all[i].Fires++
	}
	return all
}

// executeControlled runs execution n of a controlled scenario, after the executions of its batch that
// its strategy learns from.
func (r *Runner) executeControlled(sc *scenario.Scenario, campaignSeed uint64, n int) outcome.Result {
	e, err := r.newExplorer(sc, campaignSeed)
	if err != nil {
		panic(fmt.Sprintf("stress: %v", err)) // the loader has checked the scenario
	}
	defer e.Close()
	start := time.Now()
	x := e.Execution(n)
	_, failed := e.Explore(explore.Range{From: e.Batches.Of(n) * scenario.BatchSize, Judge: n, To: n + 1})
	result := e.result(x, failed)
	if failed.Verdict != verdict.Pass {
		result = e.explain(x, e.Trace(x, failed.Schedule.Clone()))
	}
	result.Duration = time.Since(start)
	return result
}

// FirstFailure runs the first executions of a controlled scenario, up to the first that fails, and
// explains that one. It returns an error if the failure does not repeat exactly.
func (r *Runner) FirstFailure(sc *scenario.Scenario, executions int) (outcome.Result, error) {
	e, err := r.newExplorer(sc, 1)
	if err != nil {
		return outcome.Result{}, err
	}
	defer e.Close()
	n, failed := e.Explore(explore.Range{To: executions})
	if failed.Verdict == verdict.Pass {
		return outcome.Result{Verdict: verdict.Pass}, nil
	}
	x := e.Execution(n)
	again := e.explain(x, e.Trace(x, failed.Schedule.Clone()))
	if again.Verdict != failed.Verdict || again.Summary != firstLine(failed.Summary) {
		err = fmt.Errorf("it was %s: %s, and repeated %s: %s", failed.Verdict, failed.Summary, again.Verdict, again.Summary)
	}
	return again, err
}
