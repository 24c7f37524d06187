package scale

import (
	"context"
	"slices"
	"sync"

	"github.com/rouse-go/rouse/bench/measure"
)

// A Plan is what is to be simulated: every way with every workload at every size.
type Plan struct {
	Ways      []Way
	Workloads []Workload
	Workers   []int
	Costs     Costs
	// Seeds is how many runs there are of each, with seeds from 1 on. Of more than ManyWorkers
	// workers there is one: so many differ little from run to run, and take long.
	Seeds int
	Cores int // that many runs go on at the same time, at least one
}

// ManyWorkers is the largest size of which there is more than one run.
const ManyWorkers = 256

// Sizes returns 8, 16, ... 4,096.
func Sizes() (workers []int) {
	for n := 8; n <= MostWorkers; n *= 2 {
		workers = append(workers, n)
	}
	return workers
}

// MostWorkers is the largest size that is simulated in a time that one would wait for.
const MostWorkers = 4096

// A Figure is what came of one way with one workload at one size.
type Figure struct {
	Way      string
	Workload string
	Workers  int
	Runs     []Result // by seed
}

// Median returns the median of something of all runs.
func (f *Figure) Median(of func(r Result) float64) float64 {
	var s measure.Series
	for _, r := range f.Runs {
		s = append(s, of(r))
	}
	return s.Median()
}

// Run simulates all. The order of the figures, and what they are, does not depend on how many runs go on at
// the same time. It returns the error of the first run that has one, or why ctx ended. told is called after each
// run, by one goroutine at a time.
func (p Plan) Run(ctx context.Context, told func(r Result)) ([]*Figure, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type task struct {
		figure *Figure
		run    int
		do     func() (Result, error)
	}
	var figures []*Figure
	var tasks []task
	for _, load := range p.Workloads {
		for _, workers := range p.Workers {
			for _, way := range p.Ways {
				runs := p.Seeds
				if workers > ManyWorkers {
					runs = 1
				}
				f := &Figure{way.Name, load.Name, workers, make([]Result, runs)}
				figures = append(figures, f)
				for i := range runs {
					tasks = append(tasks, task{f, i, func() (Result, error) { return Run(ctx, way, load, workers, p.Costs, uint64(i+1)) }})
				}
			}
		}
	}
	// The long ones first, so that no core is left with one of them at the end.
	slices.SortStableFunc(tasks, func(a, b task) int { return b.figure.Workers - a.figure.Workers })
	queue := make(chan task)
	var mu sync.Mutex
	var all sync.WaitGroup
	for range p.Cores {
		all.Go(func() {
			for t := range queue {
				r, err := t.do()
				mu.Lock()
				if err != nil {
					cancel(err)
				} else {
					t.figure.Runs[t.run] = r
					told(r)
				}
				mu.Unlock()
			}
		})
	}
	for _, t := range tasks {
		select {
		case queue <- t:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	all.Wait()
	return figures, context.Cause(ctx)
}
