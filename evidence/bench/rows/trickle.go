package rows

import (
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// trickle measures rayon-demo's noop: the processor time of a pool that gets an empty job every
// 10 ms.
func (s *Setup) trickle() []peers.Row {
	const (
		workers = 8
		perJob  = cpu + "/job"
	)
	n := float64(s.Trickle)
	row := peers.Row{
		Name:    "trickle",
		About:   fmt.Sprintf("Processor time for each of %d jobs that are nothing, every %v, of a pool of %d: what it costs to wake workers and to let them fall asleep again.", s.Trickle, rayondemo.Pause, workers),
		Metrics: []string{perJob},
		Contestants: []peers.Contestant{
			s.Rayon.turn("rayon", exactly(n), perJob, n, "trickle", workers, s.Trickle, int(rayondemo.Pause/time.Microsecond)),
			{Name: "sleeps only", Turn: on(workers, func() (peers.Figures, error) {
				return inCPUOf(perJob, n, func() error {
					for range s.Trickle {
						time.Sleep(rayondemo.Pause)
					}
					return nil
				})
			})},
		},
		Bounds: []peers.Bound{
			{What: "trickle, processor time", Of: "rouse, JEC", Metric: perJob, Over: []string{"rouse, Tickle"}, Limit: 0.5},
		},
	}
	for _, c := range []struct{ name, variant string }{{"rouse, JEC", "jec"}, {"rouse, Tickle", "tickle"}} {
		variants := sleep.Variants()
		v := variants[slices.IndexFunc(variants, func(v sleep.Variant) bool { return v.Name == c.variant })]
		row.Contestants = append(row.Contestants, peers.Contestant{Name: c.name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
			if err := rayondemo.Noop(p); err != nil {
				return nil, err
			}
			return inCPUOf(perJob, n, func() error {
				for range s.Trickle {
					if err := rayondemo.Noop(p); err != nil {
						return err
					}
				}
				return nil
			})
		}, pool.WithSleep(v.Options...))})
	}
	return []peers.Row{row}
}

// inCPUOf is like timed, with the processor time of the process.
func inCPUOf(metric string, n float64, f func() error) (peers.Figures, error) {
	cost, err := measure.Of(f)
	return peers.Figures{metric: float64(cost.CPU) / n}, err
}
