package curves

import (
	"time"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/pool"
)

// Workers returns the cost of a join and of a job as workers outnumber processors.
func Workers() Curve {
	const (
		leaves = 200_000
		jobs   = 50_000
	)
	inside := func(name string, units int, once func(w *pool.Worker, n int) int) Line {
		return Line{name, func(workers int) (float64, time.Duration, error) {
			return inPool(workers, units, func(w *pool.Worker) error { return want(once(w, units), units) })
		}}
	}
	c := Curve{
		Name:  "workers",
		About: "What a join and a job cost as workers are more, on the same processors.",
		X:     "workers", Y: "ns per job",
		At: []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64},
		Lines: []Line{
			inside("Fn.Join, balanced", leaves, balanced.Call),
			inside("closures, balanced", leaves, balancedClosures),
			inside("FoldRange, leaves of one", leaves, foldLeaves),
			inside("Scope.Go", jobs, scopeJobs),
		},
	}
	for _, kind := range gopools.Kinds() {
		name := kind.Name
		switch name {
		case "rouse":
			name = "Pool.Go"
		case "channel(1024)":
		default:
			continue
		}
		c.Lines = append(c.Lines, Line{name, func(workers int) (float64, time.Duration, error) { return outside(kind, workers, jobs) }})
	}
	return c
}
