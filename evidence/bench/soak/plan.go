package soak

import (
	"math"
	"math/rand/v2"
	"sync"
)

// A draw describes a batch to run.
type draw struct {
	kind   *Kind
	jobs   int
	number int
	seed   uint64
}

// A plan hands out batches until every kind has had its share. Which batch is the nth follows from the
// seed alone.
type plan struct {
	mu     sync.Mutex
	random *rand.Rand
	kinds  []*Kind
	left   []int // jobs of each
	total  int
	drawn  int
}

// newPlan divides the jobs by the shares of the kinds; the first kind gets the rest from rounding.
func newPlan(kinds []*Kind, jobs int, seed uint64) *plan {
	p := &plan{random: rand.New(rand.NewPCG(seed, 1)), kinds: kinds, total: jobs}
	whole, rest := 0.0, jobs
	for _, k := range kinds {
		whole += k.Share
	}
	for _, k := range kinds {
		n := int(math.Floor(float64(jobs)*k.Share/whole + 1e-6)) // shares are not binary fractions
		p.left = append(p.left, n)
		rest -= n
	}
	p.left[0] += rest
	return p
}

// next draws a batch of a kind, with a probability that grows with the kind's remaining jobs.
func (p *plan) next() (d draw, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	weights, sum := make([]float64, len(p.kinds)), 0.0
	for i, k := range p.kinds {
		weights[i] = math.Ceil(float64(p.left[i]) / float64(k.Size)) // batches
		sum += weights[i]
	}
	if sum == 0 {
		return draw{}, false
	}
	at := p.random.Float64() * sum
	i := 0
	for at >= weights[i] {
		at -= weights[i]
		i++
	}
	k := p.kinds[i]
	d = draw{kind: k, jobs: min(k.Size, p.left[i]), number: p.drawn, seed: p.random.Uint64()}
	p.left[i] -= d.jobs
	p.drawn++
	return d, true
}
