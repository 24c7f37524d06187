package stress

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// executionTimeout is when an execution that is neither done nor stuck is given
// up.
const executionTimeout = 20 * time.Second

// execute runs execution n of the scenario in this process and judges it. It
// never hangs. After a verdict that leaves goroutines behind (any but
// those of an execution that came to its end) the process must not execute again.
func execute(sc *Scenario, campaignSeed uint64, n int, alive func()) Result {
	if sc.Mode == Control {
		return executeControlled(sc, campaignSeed, n)
	}
	return executeWorkload(sc, workloadOf(sc), campaignSeed, n, executionTimeout, alive)
}

func executeWorkload(sc *Scenario, w Workload, campaignSeed uint64, n int, timeout time.Duration, alive func()) Result {
	x := &execution{
		scenario: sc,
		sizes:    w.sizes(sc),
		workers:  sc.Pool.Workers[n%len(sc.Pool.Workers)],
		seed:     executionSeed(campaignSeed, sc.Name, n),
	}
	r := Result{Execution: n, Seed: x.seed, Workers: x.workers}
	x.jobs.look, x.before = x.sample, native.Baseline()

	start := time.Now()
	others := goleak.IgnoreCurrent()
	run, err := native.Execute(chaos.Plan{Seed: x.seed, Faults: sc.Plan}, func() { x.run(w) }, native.WithTimeout(timeout), native.WithHeartbeat(alive))
	if err != nil {
		panic(fmt.Sprintf("stress: scenario %s: %v", sc.Name, err)) // the loader has checked it
	}
	if run.Kind == native.Finished {
		x.judge(&r, others)
	} else {
		x.explain(&r, run, timeout)
	}
	r.Points, r.Faults = run.Counts.Points, run.Counts.Faults
	if r.Verdict != Pass {
		r.State = x.scene().String()
		r.Events = native.Timeline(run.Events)
	}
	if run.Kind != native.Finished {
		if said := neverAgain(); said != "" {
			r.Explanation = append(r.Explanation, said)
		}
	}
	r.Duration = time.Since(start)
	return r
}

// run runs the workload.
func (x *execution) run(w Workload) {
	defer func() {
		if v := recover(); v != nil {
			if hooks.Unwinding(v) {
				panic(v)
			}
			x.convict(verdict.OfPanic(fmt.Sprint(v)), "the workload panicked: %v\n%s", v, debug.Stack())
		}
	}()
	hooks.Name("workload")
	if w.spares != nil {
		x.spares = maxBlocked // those that are about to end count as well
	}
	w.run(x)
}

// judge asks the oracles about an execution that has come to its end. The
// gravest finding becomes the verdict, the others explain it.
func (x *execution) judge(r *Result, others goleak.Option) {
	x.find(leaked(others))
	found := x.findings()
	r.Verdict = Pass
	if len(found) == 0 {
		return
	}
	r.Verdict = found[0].verdict
	summary, rest, _ := strings.Cut(found[0].summary, "\n")
	r.Summary = summary
	if rest != "" {
		r.Explanation = strings.Split(strings.TrimRight(rest, "\n"), "\n")
	}
	for _, f := range found[1:min(len(found), 20)] {
		r.Explanation = append(r.Explanation, fmt.Sprintf("also %s: %s", f.verdict, firstLine(f.summary)))
	}
}

// findings are what the oracles hold against an execution that has come to its end,
// the gravest first.
func (x *execution) findings() []finding {
	found := x.wrong
	if v, summary := x.jobs.audit(); v != Pass {
		found = append(found, finding{v, summary})
	}
	slices.SortStableFunc(found, func(a, b finding) int { return gravity(a.verdict) - gravity(b.verdict) })
	return found
}

// gravity orders what judge finds: causes come before what follows from them.
func gravity(v Verdict) int {
	return slices.Index([]Verdict{StaleUse, Panicked, DuplicateTask, LostTask, WrongResult, Invariant, NeverSleeps, Spin, Leak, MemoryGrowth}, v)
}

// explain judges an execution that does not come to its end.
func (x *execution) explain(r *Result, run native.Result, timeout time.Duration) {
	r.Goroutines = run.Goroutines
	scene := x.scene()
	d := scene.diagnose(run.Counts.Faults)
	r.Verdict, r.Summary, r.Explanation = d.verdict, d.summary, d.explain(nativeTale(run.Events), explain.Wakeup{})
	for _, p := range scene.pools {
		if wrong := stillPool(p.state, x.scenario.Pool.Sleep); run.Kind == native.Stuck && len(wrong) > 0 { // the cause
			r.Explanation = append([]string{fmt.Sprintf("so            %s: %s", d.verdict, d.summary)}, r.Explanation...)
			r.Verdict, r.Summary = Invariant, wrong[0].summary
			return
		}
	}
	if run.Kind == native.TimedOut && d.verdict == Deadlock {
		r.Verdict = Timeout
		r.Summary = fmt.Sprintf("not done after %v, yet somebody still runs", timeout)
	}
}

// sizes are those of the scenario, with the workload's own for what it leaves out.
func (w *Workload) sizes(sc *Scenario) Sizes {
	if sc.Mode == Control {
		return sc.Sizes.orElse(w.small)
	}
	return sc.Sizes.orElse(w.defaults)
}

// orElse fills in what is not set.
func (s Sizes) orElse(d Sizes) Sizes {
	or := func(v, d int) int {
		if v == 0 {
			return d
		}
		return v
	}
	s.Jobs, s.Injectors, s.Depth, s.Repeat = or(s.Jobs, d.Jobs), or(s.Injectors, d.Injectors), or(s.Depth, d.Depth), or(s.Repeat, d.Repeat)
	s.Leaf = or(s.Leaf, d.Leaf)
	if s.Pause == 0 {
		s.Pause = d.Pause
	}
	return s
}
