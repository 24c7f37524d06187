package rayondemo

import (
	"context"
	"math"

	"github.com/rouse-go/rouse/pool"
)

// Counters is the number of counters of increment-all.
const Counters = 100 * 1024

// A Variant is increment-all with leaves of a certain length.
type Variant struct {
	Name    string
	Options []pool.LoopOption
	leaves  int // if nothing is stolen, in a pool of two
}

// Variants returns rayon-demo's five.
func Variants() []Variant {
	return []Variant{
		{"increment-all", nil, 4},
		{"increment-all-min", []pool.LoopOption{pool.MinLen(1024)}, 4},
		{"increment-all-serialized", []pool.LoopOption{pool.MinLen(math.MaxInt)}, 1},
		{"increment-all-max", []pool.LoopOption{pool.MaxLen(100)}, 2048},
		{"increment-all-atomized", []pool.LoopOption{pool.MaxLen(1)}, Counters},
	}
}

// IncrementAll is a loop with a nearly empty body.
type IncrementAll struct {
	Counters []uint
	options  []pool.LoopOption
}

// NewIncrementAll returns the workload with all its counters zero.
func NewIncrementAll(options ...pool.LoopOption) *IncrementAll {
	return &IncrementAll{make([]uint, Counters), options}
}

// Run adds one to each counter.
func (a *IncrementAll) Run(p *pool.Pool) error {
	return p.Run(context.Background(), func(w *pool.Worker) error {
		pool.ForRange(w, len(a.Counters), func(_ *pool.Worker, lo, hi int) {
			leaf := a.Counters[lo:hi] // a plain loop, as Rust's compiler makes it, too
			for i := range leaf {
				leaf[i]++
			}
		}, a.options...)
		return nil
	})
}
