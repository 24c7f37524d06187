package rows

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
)

// nbody measures rayon-demo's nbody-parreduce: loops within a loop. Both sides have the same bodies,
// rules and order of operations; Rust's side is a translation of package rayondemo, except for one
// loop, which Go's side unrolls.
func (s *Setup) nbody() []peers.Row {
	const (
		workers = 2
		perTick = "ns/tick"
		halves  = "two goroutines, half each"
		twice   = "sequential Go, twice at once"
	)
	reference := rayondemo.NewNBody(rayondemo.Bodies, rayondemo.Seed)
	right := func(got float64) error {
		for reference.Time <= s.Ticks { // one to warm up, and s.Ticks measured ones
			reference.TickSequentially()
		}
		// Sums are formed in another order each time.
		if want := coordinates(reference); !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
			return fmt.Errorf("bodies are at %v, want %v", got, want)
		}
		return nil
	}
	alone := func(name string, procs int, tick func(bodies *rayondemo.NBody)) peers.Contestant {
		return peers.Contestant{Name: name, Turn: on(procs, func() (peers.Figures, error) {
			bodies := rayondemo.NewNBody(rayondemo.Bodies, rayondemo.Seed)
			tick(bodies)
			figures, err := timed(perTick, float64(s.Ticks), func() error {
				for range s.Ticks {
					tick(bodies)
				}
				return nil
			})
			if err == nil {
				err = right(coordinates(bodies))
			}
			return figures, err
		})}
	}
	return []peers.Row{{
		Name:    "nbody-parreduce",
		About:   fmt.Sprintf("nbody-parreduce of rayon-demo: %d bodies, %d workers. Go's kernel looks at four bodies at a time, since its compiler does not unroll; without a pool it still is slower than Rust's. What is done twice at once shows what the machine gives to two.", rayondemo.Bodies, workers),
		Metrics: []string{perTick},
		Contestants: []peers.Contestant{
			s.Rayon.turn("rayon", right, perTick, float64(s.Ticks), "nbody", workers, rayondemo.Bodies, rayondemo.Seed, s.Ticks),
			{Name: "rouse", Turn: func(ctx context.Context) (peers.Figures, error) {
				bodies := rayondemo.NewNBody(rayondemo.Bodies, rayondemo.Seed)
				figures, err := again("", workers, s.Ticks, perTick, float64(s.Ticks), bodies.Tick).Turn(ctx)
				if err == nil {
					err = right(coordinates(bodies))
				}
				return figures, err
			}},
			alone("sequential Go", 1, func(bodies *rayondemo.NBody) { bodies.TickSequentially() }),
			alone(halves, workers, func(bodies *rayondemo.NBody) { bodies.TickInHalves() }),
			{Name: twice, Turn: on(workers, func() (peers.Figures, error) {
				var both sync.WaitGroup
				figures, err := timed(perTick, float64(s.Ticks), func() error {
					for range workers {
						both.Go(func() {
							bodies := rayondemo.NewNBody(rayondemo.Bodies, rayondemo.Seed)
							for range s.Ticks {
								bodies.TickSequentially()
							}
						})
					}
					both.Wait()
					return nil
				})
				return figures, err
			})},
			s.Rayon.turn("sequential Rust", right, perTick, float64(s.Ticks), "nbody", 0, rayondemo.Bodies, rayondemo.Seed, s.Ticks),
		},
		Bounds: []peers.Bound{
			{What: "nbody-parreduce", Of: "rouse", Metric: perTick, Over: []string{"rayon"}, Limit: 1},
			{What: "nbody-parreduce, speed-up: 1.9 is an efficiency of 0.95", Of: "rouse", Metric: perTick, Over: []string{"sequential Go"}, How: peers.AtLeast, Limit: 0.95 * workers},
			{What: "nbody-parreduce, the simplest parallel Go", Of: "rouse", Metric: perTick, Over: []string{halves}, Limit: 1},
		},
	}}
}

// coordinates returns the sum of all coordinates.
func coordinates(n *rayondemo.NBody) (sum float64) {
	for _, b := range n.Now() {
		sum += b.Position.X + b.Position.Y + b.Position.Z
	}
	return sum
}
