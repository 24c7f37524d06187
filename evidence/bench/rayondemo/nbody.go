package rayondemo

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

// The sizes of nbody-parreduce.
const (
	Bodies = 1000
	Ticks  = 10 // in one iteration
	Seed   = 1  // of the initial positions; they differ from those of rayon-demo's generator
)

// A Body has a position and two velocities.
type Body struct{ Position, Velocity, Velocity2 Vector }

// NBody is a simulation of bodies that attract and repel each other, written by Intel
// for River Trail. Each tick moves all bodies in parallel, and for each of them
// adds up the influence of all others in parallel: loops within a loop.
type NBody struct {
	Time   int       // in ticks
	bodies [2][]Body // those of even and of odd times
}

// NewNBody returns a simulation of n bodies at time zero.
func NewNBody(n int, seed uint64) *NBody {
	const speed = 8
	rng := rand.New(rand.NewPCG(seed, 0))
	around := func(centre float64) float64 { return (rng.Float64() + centre - 0.5) * speed }
	b := make([]Body, n)
	for i := range b {
		r, theta, phi := rng.Float64()*10_000, rng.Float64()*math.Pi, rng.Float64()*2*math.Pi
		b[i] = Body{
			Position:  Vector{math.Sin(theta) * math.Cos(phi), math.Sin(theta) * math.Sin(phi), math.Cos(theta)}.times(r),
			Velocity:  Vector{around(0), around(0), around(0.5) + 10},
			Velocity2: Vector{around(0), around(0), around(0.5)},
		}
	}
	return &NBody{bodies: [2][]Body{b, append([]Body(nil), b...)}}
}

// Now returns the bodies at n.Time. The next tick but one overwrites them.
func (n *NBody) Now() []Body { return n.bodies[n.Time&1] }

// Run advances by ten ticks.
func (n *NBody) Run(p *pool.Pool) error {
	for range Ticks {
		if err := n.Tick(p); err != nil {
			return err
		}
	}
	return nil
}

// Tick advances by one tick.
func (n *NBody) Tick(p *pool.Pool) error {
	now, next, rules := n.Now(), n.bodies[1-n.Time&1], rulesAt(n.Time)
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		pool.For(w, len(now), func(w *pool.Worker, i int) {
			self := &now[i]
			all := pool.FoldRange(w, len(now),
				func() push { return push{} },
				func(_ *pool.Worker, sum push, lo, hi int) push { return rules.influences(sum, self, now[lo:hi]) },
				func(_ *pool.Worker, a, b push) push { return a.plus(b) })
			next[i] = rules.move(self, all)
		})
		return nil
	})
	n.Time++
	return err
}

// TickSequentially is Tick without a pool.
func (n *NBody) TickSequentially() {
	now, next, rules := n.Now(), n.bodies[1-n.Time&1], rulesAt(n.Time)
	rules.moveFrom(now, next, 0, len(now))
	n.Time++
}

// TickInHalves is Tick without a pool: two goroutines, each with half of the bodies.
func (n *NBody) TickInHalves() {
	now, next, rules := n.Now(), n.bodies[1-n.Time&1], rulesAt(n.Time)
	var both sync.WaitGroup
	for half := range 2 {
		both.Go(func() {
			rules.moveFrom(now, next, half*len(now)/2, (half+1)*len(now)/2)
		})
	}
	both.Wait()
	n.Time++
}

// moveFrom moves bodies lo to hi-1.
func (r *rules) moveFrom(now, next []Body, lo, hi int) {
	for i := lo; i < hi; i++ {
		next[i] = r.move(&now[i], r.influences(push{}, &now[i], now))
	}
}
