package sleeps

import (
	"context"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
)

// A Plan says how to compare.
type Plan struct {
	Rounds         int
	Workers        int           // in a pool
	TrickleWorkers int           // in the pool of a demo with Trickle
	Turn           time.Duration // about how long a turn takes: iterations follow from that
	Iterations     int           // of a turn, if not 0
	TrickleJobs    int           // iterations of a turn, of a demo with Trickle
}

// A Table holds the measurements of one demo under all configurations of a comparison.
type Table struct {
	Comparison Comparison
	Demo       rayondemo.Demo
	Workers    int
	Iterations int // of a turn
	Rows       []Row
}

// A Row holds the measurements of one configuration: a figure for each round, for one iteration.
type Row struct {
	Config Config
	Wall   measure.Series // in ns
	CPU    measure.Series // in ns
	Sleeps measure.Series // how often a worker fell asleep
	Wakes  measure.Series // how often one was woken
	// Rescues counts how often in a whole round a watcher had to give the stuck pool an empty
	// job. A strategy that loses no job needs none.
	Rescues measure.Series
}

// Run runs demo under all configurations, in turns. It returns early with an error if
// ctx ends, if a pool cannot be made, or if the demo fails. Nothing else may run in
// the process.
func (p Plan) Run(ctx context.Context, c Comparison, demo rayondemo.Demo) (*Table, error) {
	t := &Table{Comparison: c, Demo: demo, Workers: p.Workers, Iterations: p.Iterations}
	if demo.Trickle {
		t.Workers, t.Iterations = p.TrickleWorkers, p.TrickleJobs
	}
	for _, config := range c.Configs {
		t.Rows = append(t.Rows, Row{Config: config})
	}
	if t.Iterations == 0 {
		if err := t.calibrate(p.Turn); err != nil {
			return nil, err
		}
	}
	err := measure.Turns(ctx, p.Rounds, len(t.Rows), func(_, i int) error {
		return t.Rows[i].turn(demo, t.Workers, t.Iterations)
	})
	return t, err
}

// calibrate sets t.Iterations so that they take about as long as turn under
// the first configuration.
func (t *Table) calibrate(turn time.Duration) error {
	for t.Iterations = 1; ; t.Iterations *= 4 {
		row := Row{Config: t.Rows[0].Config}
		if err := row.turn(t.Demo, t.Workers, t.Iterations); err != nil {
			return err
		}
		if took := row.Wall[0] * float64(t.Iterations); took >= float64(turn)/8 {
			t.Iterations = max(1, int(float64(turn)/row.Wall[0]))
			return nil
		}
	}
}

// turn runs the demo in a pool of its own, which is warm when the clock starts.
func (r *Row) turn(demo rayondemo.Demo, workers, iterations int) error {
	p, err := pool.New(workers, pool.WithSleep(r.Config.Options...), pool.WithSharedForks())
	if err != nil {
		return fmt.Errorf("%s: %w", r.Config.Name, err)
	}
	iterate := demo.New()
	w := watch(p, watchEvery)
	err = iterate(p)
	w.stop()
	before := p.Stats()
	var cost measure.Cost
	if err == nil {
		w := watch(p, watchEvery)
		cost, err = measure.Of(func() error {
			for range iterations {
				if err := iterate(p); err != nil {
					return err
				}
				w.iterations.Add(1)
			}
			return nil
		})
		r.Rescues = append(r.Rescues, float64(w.stop()))
	}
	after := p.Stats()
	if closed := p.Close(context.Background()); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s under %s: %w", demo.Name, r.Config.Name, err)
	}
	n := float64(iterations)
	r.Wall = append(r.Wall, float64(cost.Wall)/n)
	r.CPU = append(r.CPU, float64(cost.CPU)/n)
	r.Sleeps = append(r.Sleeps, float64(after.Sleeps-before.Sleeps)/n)
	r.Wakes = append(r.Wakes, float64(after.Wakes-before.Wakes)/n)
	return nil
}
