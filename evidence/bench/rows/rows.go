package rows

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/evidence/bench/foreign"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

// A Setup is what rows are made from.
type Setup struct {
	Sizes
	Rayon, TBB Foreign
	Self       Foreign // a program that is Child
	Quota      Quota

	middle float64 // of the sorted numbers; 0: not known yet
}

// Foreign is a contestant that is another program, or the reason for its absence.
type Foreign struct {
	Program *foreign.Program
	Missing string
}

// Processes returns the ids of the foreign programs that run.
func (s *Setup) Processes() (pids []int) {
	for _, f := range []Foreign{s.Rayon, s.TBB} {
		if f.Program != nil && f.Program.PID() != 0 {
			pids = append(pids, f.Program.PID())
		}
	}
	return pids
}

// All returns all rows, in the order of the table. A new row is a file, and a line here.
func (s *Setup) All() (all []peers.Row) {
	for _, rows := range [][]peers.Row{
		s.fib(),
		s.joinRecursively(),
		s.increment(),
		s.nbody(),
		s.quicksort(),
		s.sort(),
		s.coarse(),
		s.processors(),
		s.sleepingLeaves(),
		s.wake(),
		s.external(),
		s.visit(),
		s.group(),
		s.io(),
		s.idle(),
		s.trickle(),
		s.memory(),
	} {
		all = append(all, rows...)
	}
	return all
}

// turn returns a contestant whose turns the program runs. right checks its result;
// its only figure, in ns, becomes metric, divided by n.
func (f Foreign) turn(name string, right func(check float64) error, metric string, n float64, row string, args ...int) peers.Contestant {
	return f.turns(name, right, func(figures []float64) (peers.Figures, error) {
		if len(figures) != 1 {
			return nil, fmt.Errorf("%d figures, want 1", len(figures))
		}
		return peers.Figures{metric: figures[0] / n}, nil
	}, row, args...)
}

// turns is like turn, with a function to convert the figures.
func (f Foreign) turns(name string, right func(check float64) error, figures func([]float64) (peers.Figures, error), row string, args ...int) peers.Contestant {
	return peers.Contestant{Name: name, Missing: f.Missing, Turn: func(ctx context.Context) (peers.Figures, error) {
		check, took, err := f.Program.Turn(ctx, row, args...)
		if err != nil {
			return nil, err
		}
		if err := right(check); err != nil {
			return nil, err
		}
		return figures(took)
	}}
}

// exactly returns a check that a result equals want.
func exactly(want float64) func(float64) error {
	return func(got float64) error {
		if got != want {
			return fmt.Errorf("computed %v, want %v", got, want)
		}
		return nil
	}
}
