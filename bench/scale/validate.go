package scale

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/rouse-go/rouse/bench/measure"
	"github.com/rouse-go/rouse/pool"
)

// A Comparison sets the model beside the pool that ships: the same work, the same number of
// workers, and what both count. Cores don't matter to it, since all jobs but the empty ones sleep.
type Comparison struct {
	Way, Workload string
	Workers       int
	Jobs          int            // of an iteration
	Wakes, Sleeps measure.Series // of an iteration of the pool, by round
	OnTime, Late  Modelled       // the model's, whose leaves end on time, or up to late
}

// Modelled is what the model counts in an iteration, by seed.
type Modelled struct{ Wakes, Sleeps measure.Series }

// A trial is a workload for both.
type trial struct {
	name  string
	model func(s *sim, w *walker)
	jobs  func(workers int) int
	real  func(p *pool.Pool, workers int) error // ends when all is done, but for what sleeps
}

const (
	nap  = 2 * time.Millisecond                    // how long jobs sleep
	late = Time(200*time.Microsecond) * nanosecond // how late a sleep ends at most: assumed
	rest = 4 * time.Millisecond                    // how long a pool is left alone, so that all its workers sleep
)

func trials() []trial {
	napping := Time(nap) * nanosecond
	return []trial{
		{"a job that is nothing", func(s *sim, w *walker) {
			s.quick = true
			s.inject(w, s.newJob(nil, func(*worker) {}))
		}, func(int) int { return 1 }, func(p *pool.Pool, _ int) error {
			return p.Go(func(*pool.Worker) {})
		}},
		{"a root that forks", func(s *sim, w *walker) {
			forks(s, w, 2*len(s.workers), napping)
		},
			func(workers int) int { return 2 * workers }, func(p *pool.Pool, workers int) error {
				return p.Run(context.Background(), func(w *pool.Worker) error {
					naps(w, 2*workers)
					return nil
				})
			}},
		{"a burst", func(s *sim, w *walker) {
			s.quick = true
			burst(s, w, len(s.workers), napping)
		}, func(workers int) int { return workers }, func(p *pool.Pool, workers int) error {
			var all sync.WaitGroup
			defer all.Wait()
			for range workers {
				all.Add(1)
				if err := p.Go(func(*pool.Worker) {
					time.Sleep(nap)
					all.Done()
				}); err != nil {
					all.Done()
					return err
				}
			}
			return nil
		}},
	}
}

func naps(w *pool.Worker, leaves int) {
	if leaves == 1 {
		time.Sleep(nap)
		return
	}
	w.Join(func(w *pool.Worker) { naps(w, leaves-leaves/2) }, func(w *pool.Worker) { naps(w, leaves/2) })
}

// Validate runs the trials with all ways and sizes, in the pool that ships and in the model. It
// returns early with an error if ctx ends. Nothing else should go on in the process.
func Validate(ctx context.Context, c Costs, workers []int, rounds int) ([]*Comparison, error) {
	c.Wake = c.WakeQuick // who wakes another goes to sleep, if only in its job
	var all []*Comparison
	for _, t := range trials() {
		for _, n := range workers {
			ways := Ways()
			rows := make([]*Comparison, len(ways))
			for i, way := range ways {
				rows[i] = &Comparison{Way: way.Name, Workload: t.name, Workers: n, Jobs: t.jobs(n)}
				if err := rows[i].model(ctx, t, way, c, rounds); err != nil {
					return nil, err
				}
			}
			if err := measure.Turns(ctx, rounds, len(ways), func(_, i int) error { return rows[i].turn(t, ways[i]) }); err != nil {
				return nil, err
			}
			all = append(all, rows...)
		}
	}
	return all, nil
}

// iterations are those of a turn.
const iterations = 20

// turn lets the pool do the work, again and again.
func (c *Comparison) turn(t trial, way Way) (err error) {
	p, err := pool.New(c.Workers, pool.WithSleep(way.Variant.Options...), pool.WithSharedForks())
	if err != nil {
		return fmt.Errorf("%s: %w", way.Name, err)
	}
	defer func() {
		if closed := p.Close(context.Background()); err == nil {
			err = closed
		}
	}()
	time.Sleep(rest)
	before := p.Stats()
	for range iterations {
		if err := t.real(p, c.Workers); err != nil {
			return err
		}
		time.Sleep(rest)
	}
	after := p.Stats()
	c.Wakes = append(c.Wakes, float64(after.Wakes-before.Wakes)/iterations)
	c.Sleeps = append(c.Sleeps, float64(after.Sleeps-before.Sleeps)/iterations)
	return nil
}

// model simulates one iteration, again and again.
func (c *Comparison) model(ctx context.Context, t trial, way Way, costs Costs, runs int) error {
	for _, m := range []struct {
		late Time
		to   *Modelled
	}{{0, &c.OnTime}, {late, &c.Late}} {
		for seed := range runs {
			load := Workload{Name: t.name, run: func(s *sim, w *walker) {
				s.late = m.late
				t.model(s, w)
			}}
			r, err := Run(ctx, way, load, c.Workers, costs, uint64(seed+1))
			if err != nil {
				return err
			}
			m.to.Wakes = append(m.to.Wakes, float64(r.Wakes))
			m.to.Sleeps = append(m.to.Sleeps, float64(r.Sleeps))
		}
	}
	return nil
}

// ValidationMarkdown returns the comparisons as a table: medians.
func ValidationMarkdown(all []*Comparison) string {
	table := measure.Table{Head: []string{"work, way, workers", "jobs", "wakes: pool", "model, on time", "late", "sleeps: pool", "model, on time", "late"}}
	for _, c := range all {
		cells := []string{fmt.Sprintf("%s, %s, %d", c.Workload, c.Way, c.Workers), fmt.Sprint(c.Jobs)}
		for _, s := range []measure.Series{c.Wakes, c.OnTime.Wakes, c.Late.Wakes, c.Sleeps, c.OnTime.Sleeps, c.Late.Sleeps} {
			cells = append(cells, fmt.Sprintf("%.2f", s.Median()))
		}
		table.Row(cells...)
	}
	return table.String()
}

// A ValidationRecord is a comparison as it is written for machines: a line of JSON. Series
// have a figure for each round, or seed, for one iteration.
type ValidationRecord struct {
	Schema       int       `json:"schema"` // 1
	Kind         string    `json:"kind"`   // "scale-validation"
	Machine      string    `json:"machine"`
	Way          string    `json:"way"`
	Workload     string    `json:"workload"`
	Workers      int       `json:"workers"`
	Jobs         int       `json:"jobs"`
	Wakes        []float64 `json:"wakes"`
	Sleeps       []float64 `json:"sleeps"`
	OnTimeWakes  []float64 `json:"model_on_time_wakes"`
	OnTimeSleeps []float64 `json:"model_on_time_sleeps"`
	LateWakes    []float64 `json:"model_late_wakes"`
	LateSleeps   []float64 `json:"model_late_sleeps"`
}

// ValidationRecords returns the comparisons for machines.
func ValidationRecords(machine string, all []*Comparison) (records []any) {
	for _, c := range all {
		records = append(records, ValidationRecord{1, "scale-validation", machine, c.Way, c.Workload, c.Workers, c.Jobs,
			c.Wakes, c.Sleeps, c.OnTime.Wakes, c.OnTime.Sleeps, c.Late.Wakes, c.Late.Sleeps})
	}
	return records
}
