package mutants

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/private"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// run plants the mutants one after the other and runs their programs. It calls report on its own
// goroutine for each trial, in order, and blocks until all trials or ctx are done; it then returns ctx's
// cause. Its files are temporary; the next run removes those of a killed one.
func (f *flags) run(ctx context.Context, c checkout, all []mutant, report func(outcome) error) (score, error) {
	var s score
	for i := range all {
		outcomes, err := f.runOne(ctx, c, &all[i])
		if err != nil {
			return s, err
		}
		for _, o := range outcomes {
			if err := report(o); err != nil {
				return s, err
			}
		}
		s.add(outcomes)
	}
	return s, nil
}

// A task is a process: one program under one strategy.
type task struct {
	outcome *outcome
	binary  string
	request kill.Request
	answers []kill.Answer
}

func (f *flags) runOne(ctx context.Context, c checkout, m *mutant) ([]outcome, error) {
	dir, remove, err := private.Temporary("rouse-mutant")
	if err != nil {
		return nil, err
	}
	defer remove() //nolint:errcheck // the next run tries again
	binaries := map[string]string{}
	outcomes := make([]outcome, len(m.trials))
	var tasks []*task
	for i, t := range m.trials {
		outcomes[i] = outcome{mutant: m, trial: t, Verdict: verdict.Pass}
		if binaries[t.Package] == "" {
			if binaries[t.Package], err = c.build(ctx, m, t.Package, dir); err != nil {
				return nil, err
			}
		}
		for _, by := range t.strategies(f.long) {
			r := kill.Request{Program: t.Program, Strategy: by, Seeds: int(f.seeds), Executions: cmp.Or(int(f.executions), t.executions)}
			tasks = append(tasks, &task{outcome: &outcomes[i], binary: binaries[t.Package], request: r})
		}
	}
	if err := c.executeAll(ctx, m, tasks, cmp.Or(int(f.procs), runtime.GOMAXPROCS(0))); err != nil {
		return nil, err
	}
	for _, t := range tasks {
		t.outcome.add(t.request.Strategy, t.answers)
	}
	return outcomes, nil
}

// executeAll runs the tasks, procs at once, until one fails.
func (c checkout) executeAll(ctx context.Context, m *mutant, tasks []*task, procs int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, procs)
	var running sync.WaitGroup
	for _, t := range tasks {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			var err error
			if t.answers, err = c.execute(ctx, m, t.outcome.Package, t.binary, t.request); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}

// An outcome is the result of one trial.
type outcome struct {
	mutant *mutant
	trial
	Medians []median `json:"medians,omitempty"` // in the order of trial.strategies
	// Verdict is the verdict of the executions that detected the mutant, preferably an unexpected one,
	// or verdict.Pass. Summary is a line about it.
	Verdict verdict.Verdict `json:"verdict"`
	Summary string          `json:"summary,omitempty"`
}

// A median is the number of executions that a strategy needed.
type median struct {
	Strategy string `json:"strategy"`
	// Executions is the median, over the series, of the executions up to the first that detected the mutant; if
	// Capped, the executions of a series that did not detect it.
	Executions int    `json:"executions"`
	Capped     bool   `json:"capped,omitempty"`
	Series     int    `json:"series"`
	Kills      int    `json:"kills"`              // series that detected it
	Complete   bool   `json:"complete,omitempty"` // an exhaustive search ended and did not detect it
	Bounded    string `json:"bounded,omitempty"`  // describes what that search left out
}

// skipped reports whether nothing ran, because all strategies take long.
func (o *outcome) skipped() bool { return len(o.Medians) == 0 }

func (o *outcome) asExpected() bool { return o.skipped() || o.Verdict == o.Expect }

// best returns the strategy with the smallest median; ok is false if no strategy detects the mutant in half
// of its series.
func (o *outcome) best() (best figure, ok bool) {
	var figures []figure
	for _, m := range o.Medians {
		if !m.Capped {
			figures = append(figures, figure{m.Strategy, m.Executions})
		}
	}
	return fewest(figures)
}

// ratio returns the best median as a multiple of the best published one; ok is false without both.
func (o *outcome) ratio() (ratio float64, ok bool) {
	published, hasPublished := fewest(o.Published)
	best, hasBest := o.best()
	if !hasPublished || !hasBest {
		return 0, false
	}
	return float64(best.Executions) / float64(published.Executions), true
}

// add enters the answers of a strategy.
func (o *outcome) add(by string, answers []kill.Answer) {
	m := median{Strategy: by, Series: len(answers)}
	for _, a := range answers {
		if a.Complete {
			m.Complete, m.Bounded = true, a.Bounded
		}
		if !a.Killed() {
			continue
		}
		m.Kills++
		if o.Verdict == verdict.Pass || o.Verdict == o.Expect && a.Verdict != o.Verdict {
			o.Verdict, o.Summary = a.Verdict, a.Summary
		}
	}
	// A series that detected nothing would have needed more executions than any other.
	slices.SortFunc(answers, func(a, b kill.Answer) int {
		if a.Killed() != b.Killed() {
			if a.Killed() {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Executions, b.Executions)
	})
	middle := answers[len(answers)/2]
	m.Executions, m.Capped = middle.Executions, !middle.Killed()
	o.Medians = append(o.Medians, m)
}
