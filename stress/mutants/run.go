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

// Options of Run. The zero value of each field is a choice that serves most.
type Options struct {
	Seeds      int  // series of executions for each strategy; 0 is 20
	Executions int  // of a series, at most; 0 is what the trial says
	Long       bool // also the strategies that take long
	Procs      int  // processes at once; 0 is one for each processor
}

// An Outcome is what one trial came to.
type Outcome struct {
	Mutant  *Mutant
	Trial   *Trial
	Medians []Median // by strategy, as Trial.Strategies lists them
	// Verdict is that of the executions that convicted the mutant: an unexpected one,
	// if there was one. verdict.Pass: none did. Summary is a line about it.
	Verdict verdict.Verdict
	Summary string
}

// Skipped reports whether nothing was tried, for want of a strategy that does not take
// long.
func (o *Outcome) Skipped() bool { return len(o.Medians) == 0 }

// AsExpected reports whether the trial came to the verdict that it expects, or was
// skipped.
func (o *Outcome) AsExpected() bool { return o.Skipped() || o.Verdict == o.Trial.Expect }

// A Median is how many executions a strategy needed.
type Median struct {
	Strategy string
	// Executions to the first that was convicted, the median of the series; those of
	// a series in which none was, if Capped.
	Executions int
	Capped     bool
	Series     int
	Kills      int    // series in which one was convicted
	Complete   bool   // an exhaustive strategy has nothing left to explore, and convicted none
	Bounded    string // what it has left out then; "" is nothing
}

// Best returns the strategy that needs the fewest executions; ok is false if none
// convicts the mutant in half of its series.
func (o *Outcome) Best() (best Figure, ok bool) {
	var figures []Figure
	for _, m := range o.Medians {
		if !m.Capped {
			figures = append(figures, Figure{m.Strategy, m.Executions})
		}
	}
	return Best(figures)
}

// Ratio returns the best median as a multiple of the best that is published; ok is
// false if one of them is missing.
func (o *Outcome) Ratio() (ratio float64, ok bool) {
	published, is := Best(o.Trial.Published)
	best, was := o.Best()
	if !is || !was {
		return 0, false
	}
	return float64(best.Executions) / float64(published.Executions), true
}

// Run plants the mutants one after the other and tries their programs on them. It
// calls tell, on its own goroutine, after each trial, in order. It blocks until all
// is done or ctx is, whose cause it then returns. What it writes is temporary; of a run that was killed, the next one removes it.
func Run(ctx context.Context, c Checkout, all []Mutant, o Options, tell func(Outcome)) (Score, error) {
	o.Seeds = cmp.Or(o.Seeds, 20)
	o.Procs = cmp.Or(o.Procs, runtime.GOMAXPROCS(0))
	var s Score
	for i := range all {
		outcomes, err := runOne(ctx, c, &all[i], o)
		if err != nil {
			return s, err
		}
		for _, o := range outcomes {
			tell(o)
		}
		s.add(outcomes)
	}
	return s, nil
}

func runOne(ctx context.Context, c Checkout, m *Mutant, o Options) ([]Outcome, error) {
	dir, remove, err := private.Temporary("rouse-mutant")
	if err != nil {
		return nil, err
	}
	defer remove() //nolint:errcheck // the next run tries again
	binaries := map[string]string{}
	for _, t := range m.Trials {
		if binaries[t.Package] != "" {
			continue
		}
		if binaries[t.Package], err = c.build(ctx, m, t.Package, dir); err != nil {
			return nil, err
		}
	}
	var tasks []*task
	for i := range m.Trials {
		t := &m.Trials[i]
		for _, by := range t.Strategies(o.Long) {
			r := kill.Request{Program: t.Program, Strategy: by, Seeds: o.Seeds, Executions: cmp.Or(o.Executions, t.Executions)}
			tasks = append(tasks, &task{trial: t, binary: binaries[t.Package], request: r})
		}
	}
	if err := c.executeAll(ctx, m, tasks, o.Procs); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(m.Trials))
	for i := range outcomes {
		outcomes[i] = Outcome{Mutant: m, Trial: &m.Trials[i], Verdict: verdict.Pass}
		for _, t := range tasks {
			if t.trial == &m.Trials[i] {
				outcomes[i].add(t.request.Strategy, t.answers)
			}
		}
	}
	return outcomes, nil
}

// A task is a process: one program under one strategy.
type task struct {
	trial   *Trial
	binary  string
	request kill.Request
	answers []kill.Answer
}

// executeAll runs the tasks, so many at once, until one fails.
func (c Checkout) executeAll(ctx context.Context, m *Mutant, tasks []*task, procs int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	turns := make(chan struct{}, procs)
	var running sync.WaitGroup
	for _, t := range tasks {
		turns <- struct{}{}
		running.Go(func() {
			defer func() { <-turns }()
			if ctx.Err() != nil {
				return
			}
			var err error
			if t.answers, err = c.execute(ctx, m, t.trial.Package, t.binary, t.request); err != nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}

// add enters what a strategy came to.
func (o *Outcome) add(by string, answers []kill.Answer) {
	m := Median{Strategy: by, Series: len(answers)}
	for _, a := range answers {
		if a.Complete {
			m.Complete, m.Bounded = true, a.Bounded
		}
		if !a.Killed() {
			continue
		}
		m.Kills++
		if o.Verdict == verdict.Pass || o.Verdict == o.Trial.Expect && a.Verdict != o.Verdict {
			o.Verdict, o.Summary = a.Verdict, a.Summary
		}
	}
	// A series that convicted none would have needed more executions than any other.
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
