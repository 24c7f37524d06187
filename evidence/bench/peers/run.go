package peers

import (
	"context"
	"fmt"
	"math"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// Run lets the contestants of a row take turns, for a number of rounds. One whose turn
// fails is out of the row from then on, without figures. It returns early with an error if ctx ends.
// Nothing else may run in the process.
func (r Row) Run(ctx context.Context, rounds int) (*Result, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	result := &Result{Row: r, Others: -1}
	for _, c := range r.Contestants {
		result.Took = append(result.Took, Taken{Contestant: c.Name, Out: c.Missing})
	}
	err := measure.Turns(ctx, rounds, len(r.Contestants), func(_, i int) error {
		took := &result.Took[i]
		if took.Out != "" {
			return nil
		}
		figures, err := r.turn(ctx, i)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			took.Out, took.Failed, took.Rounds = err.Error(), true, nil
			return nil
		}
		took.Rounds = append(took.Rounds, figures)
		return nil
	})
	return result, err
}

func (r Row) turn(ctx context.Context, i int) (Figures, error) {
	figures, err := r.Contestants[i].Turn(ctx)
	if err != nil {
		return nil, err
	}
	if _, ok := figures[r.Metrics[0]]; !ok {
		return nil, fmt.Errorf("no figure for %s", r.Metrics[0])
	}
	return figures, nil
}

// Failed returns the contestants that a failed turn has taken out of the row, and why.
func (r *Result) Failed() (names []string) {
	for _, t := range r.Took {
		if t.Failed {
			names = append(names, fmt.Sprintf("%s, %s: %s", r.Row.Name, t.Contestant, t.Out))
		}
	}
	return names
}

// series returns the rounds of one metric; NaNs if it was not measured.
func (t *Taken) series(metric string) (s measure.Series) {
	for _, figures := range t.Rounds {
		s = append(s, figures.at(metric))
	}
	return s
}

func (f Figures) at(metric string) float64 {
	if x, ok := f[metric]; ok {
		return x
	}
	return math.NaN()
}
