package rows

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

const (
	atRest    = "KiB-at-rest"
	afterHalf = "KiB-after-half"
	afterAll  = "KiB-after-all"
)

// flat is the allowed difference in memory that does not grow: the runtime has caches.
const flat = 64 // KiB

// memory measures the memory of an idle pool of 8: before any job, after half of many, and after
// all. Each runs in a child process.
func (s *Setup) memory() []peers.Row {
	const workers = 8
	right := exactly(float64(s.MemoryJobs))
	row := peers.Row{
		Name:        "memory",
		About:       fmt.Sprintf("What a pool of %d holds at rest, in heap and stacks: before any job, after %d, and after %d, in ten floods from outside or in trees of joins.", workers, s.MemoryJobs/2, s.MemoryJobs),
		Metrics:     []string{atRest, afterHalf, afterAll},
		Contestants: []peers.Contestant{s.child("rouse, joins", right, inKiB, "memory-joins", workers, s.MemoryJobs)},
	}
	for i, kind := range gopools.Kinds() {
		switch kind.Name {
		case "rouse", "channel(1024)":
			row.Contestants = append(row.Contestants, s.child(kind.Name, right, inKiB, "memory", i, workers, s.MemoryJobs))
		}
	}
	for _, name := range []string{"rouse", "rouse, joins"} {
		row.Bounds = append(row.Bounds,
			peers.Bound{What: "memory of a pool of 8 at rest", Of: name, Metric: atRest, Limit: 1024},
			peers.Bound{What: fmt.Sprintf("memory after %d jobs", s.MemoryJobs), Of: name, Metric: afterAll, Over: []string{name}, Against: afterHalf, How: peers.Beyond, Limit: flat})
	}
	return []peers.Row{row}
}

func inKiB(figures []float64) (peers.Figures, error) {
	if len(figures) != 3 {
		return nil, fmt.Errorf("%d figures, want 3", len(figures))
	}
	return peers.Figures{atRest: figures[0] / 1024, afterHalf: figures[1] / 1024, afterAll: figures[2] / 1024}, nil
}

// memoryThrough is the turn of a child: jobs from outside, in floods.
func memoryThrough(kind, workers, jobs int) (float64, []float64, error) {
	before := memoryInUse()
	p, err := newKind(kind, workers)
	if err != nil {
		return 0, nil, err
	}
	var done atomic.Int64
	job := func() { done.Add(1) }
	figures := halves(before, jobs, func(n int) {
		until := done.Load() + int64(n)
		for range n {
			p.Go(job)
		}
		for done.Load() < until {
			runtime.Gosched()
		}
	})
	p.Wait()
	return float64(done.Load()), figures, nil
}

// memoryOfJoins is like memoryThrough, with joins. The pool counts the jobs done.
func memoryOfJoins(workers, jobs int) (float64, []float64, error) {
	before := memoryInUse()
	p, err := pool.New(workers)
	if err != nil {
		return 0, nil, err
	}
	done := 0
	figures := halves(before, jobs, func(n int) {
		err := run(p, func(w *pool.Worker) { done += countingTree.Call(w, n) })
		if err != nil {
			panic(err) // the pool was closed: no row does that
		}
	})
	return float64(done), figures, p.Close(context.Background())
}

// countingTree is a tree of n jobs.
var countingTree = pool.NewFn(func(counting *pool.Fn[int, int], w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := counting.Join(w, n/2, n-n/2)
	return a + b
})

// halves returns the growth of memory in use since before: at once, after half of the jobs, and after all.
func halves(before float64, jobs int, flood func(n int)) []float64 {
	figures := []float64{memoryInUse() - before}
	for i := range 10 {
		flood(jobs / 10)
		if i == 4 || i == 9 {
			figures = append(figures, memoryInUse()-before)
		}
	}
	return figures
}

// memoryInUse returns how many bytes heap and stacks hold, without garbage.
func memoryInUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // frees what the first has removed from pools
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}
