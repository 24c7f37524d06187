package pool

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// nbodyWorkload is nbody of rayon's demos: a loop whose bodies reduce, with numbers whose
// sum shows in which order they were added.
var nbodyWorkload = workload{
	name:     "nbody",
	about:    "Bodies that attract each other, for that many ticks (repeat): a loop over the bodies (jobs), and in it a reduction over all others, halved down to leaves of that many. All is to be bit for bit as computed without a pool, with the same halves.",
	uses:     []string{"jobs", "leaf", "repeat", "pause"},
	defaults: sizes{jobs: 96, leaf: 8, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 3, leaf: 1, repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.nbody(p, pool.For, pool.Join[span, vector])
		x.finish(p)
	},
}

type vector [3]float64

// plus rounds every sum, and the other methods every product: otherwise equal expressions might be fused in one
// place and not in another.
func (v vector) plus(o vector) vector {
	for i := range v {
		v[i] = float64(v[i] + o[i])
	}
	return v
}

func (v vector) times(f float64) vector {
	for i := range v {
		v[i] = float64(v[i] * f)
	}
	return v
}

type celestial struct {
	at, speed vector
	mass      float64
}

// A span is the range of a reduction: bodies lo to hi-1.
type span struct{ lo, hi int }

// The loop over n elements, and the join of both halves.
type (
	indexLoop func(w *pool.Worker, n int, body func(w *pool.Worker, i int), opts ...pool.LoopOption)
	both      func(w *pool.Worker, f func(w *pool.Worker, s span) vector, a, b span) (vector, vector)
)

// inOrder and oneByOne do the same without a pool.
func inOrder(w *pool.Worker, n int, body func(w *pool.Worker, i int), _ ...pool.LoopOption) {
	for i := range n {
		body(w, i)
	}
}

func oneByOne(w *pool.Worker, f func(w *pool.Worker, s span) vector, a, b span) (vector, vector) {
	return f(w, a), f(w, b)
}

func (x *execution) nbody(p *pool.Pool, loop indexLoop, join both) {
	r := x.Rand("nbody")
	bodies := celestials(x.sizes.jobs, r)
	want := slices.Clone(bodies)
	for tick := range x.sizes.repeat {
		x.pause(r)
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			bodies = ticked(w, bodies, x.sizes.leaf, loop, join)
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Run: %v", err)
		}
		want = ticked(nil, want, x.sizes.leaf, inOrder, oneByOne)
		for i := range bodies {
			if got, want := bodies[i], want[i]; !same(got, want) {
				x.Fail(verdict.WrongResult, "tick %d: body %d is at %x, without the pool at %x", tick, i, got.at, want.at)
				return
			}
		}
	}
}

// celestials returns n bodies, no two of them at the same place.
func celestials(n int, r *rand.Rand) []celestial {
	bodies := make([]celestial, n)
	for i := range bodies {
		b := &bodies[i]
		for d := range b.at {
			b.at[d], b.speed[d] = r.NormFloat64(), r.NormFloat64()/16
		}
		b.mass = r.Float64()
	}
	return bodies
}

// ticked returns the bodies a little later.
func ticked(w *pool.Worker, bodies []celestial, leaf int, loop indexLoop, join both) []celestial {
	later := make([]celestial, len(bodies))
	loop(w, len(bodies), func(w *pool.Worker, i int) {
		var pull func(w *pool.Worker, s span) vector
		pull = func(w *pool.Worker, s span) (sum vector) {
			if s.hi-s.lo <= leaf {
				for j := s.lo; j < s.hi; j++ {
					sum = sum.plus(attraction(&bodies[i], &bodies[j]))
				}
				return sum
			}
			mid := int(uint(s.lo+s.hi) / 2)
			left, right := join(w, pull, span{s.lo, mid}, span{mid, s.hi})
			return left.plus(right)
		}
		const tick = 1.0 / 64
		b := bodies[i]
		b.speed = b.speed.plus(pull(w, span{0, len(bodies)}).times(tick))
		b.at = b.at.plus(b.speed.times(tick))
		later[i] = b
	}, pool.MaxLen(leaf))
	return later
}

// attraction returns the acceleration of a by b.
func attraction(a, b *celestial) vector {
	d := b.at.plus(a.at.times(-1))
	const softening = 1.0 / 1024 // near bodies do not diverge, and a body does not attract itself
	square := softening
	for _, v := range d {
		square = float64(square + float64(v*v))
	}
	return d.times(b.mass / float64(square*math.Sqrt(square)))
}

// same compares bits: NaN is the same as itself.
func same(a, b celestial) bool {
	for d := range a.at {
		if math.Float64bits(a.at[d]) != math.Float64bits(b.at[d]) || math.Float64bits(a.speed[d]) != math.Float64bits(b.speed[d]) {
			return false
		}
	}
	return true
}
