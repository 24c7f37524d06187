package rayondemo

import "github.com/rouse-go/rouse/pool"

// A Demo is a workload by name.
type Demo struct {
	Name string
	// New prepares the workload's data and returns the function to time. It runs one iteration,
	// blocks until that is done, and continues with the data that the previous iteration
	// left. It must not run twice at the same time.
	New func() func(p *pool.Pool) error
	// Trickle says that an iteration takes the same time however fast the pool is: the demo
	// measures processor time.
	Trickle bool
}

// All returns the demos, in the order of tables.
func All() []Demo {
	var demos []Demo
	for _, v := range Variants() {
		demos = append(demos, Demo{Name: v.Name, New: func() func(*pool.Pool) error {
			return NewIncrementAll(v.Options...).Run
		}})
	}
	return append(demos,
		Demo{Name: "join-recursively", New: func() func(*pool.Pool) error { return JoinRecursively }},
		Demo{Name: "join-recursively-fn", New: func() func(*pool.Pool) error { return JoinRecursivelyFn }},
		Demo{Name: "nbody-parreduce", New: func() func(*pool.Pool) error { return NewNBody(Bodies, Seed).Run }},
		Demo{Name: "noop", New: func() func(*pool.Pool) error { return Noop }, Trickle: true},
	)
}
