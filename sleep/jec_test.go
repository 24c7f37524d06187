package sleep

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/internal/proptest"
)

// narrow is the least that counts three workers, with a JEC of one bit.
var narrow = Widths{Sleeping: 2, Inactive: 2, JEC: 1}

var protocolOptions = map[string][]Option{
	"production":               nil,
	"JEC of 1 bit":             {WithWidths(narrow), WithRoundsUntilSleepy(0)},
	"JEC of 1 bit, odd":        {WithWidths(narrow), WithRoundsUntilSleepy(1), WithInitialJEC(1)},
	"JEC of 2 bits at maximum": {WithWidths(Widths{2, 2, 2}), WithRoundsUntilSleepy(0), WithInitialJEC(3)},
	"JEC at maximum":           {WithInitialJEC(1<<32 - 1), WithRoundsUntilSleepy(2)},
}

// eachProtocol calls f with pools of one to three workers, all options, and all
// variants that lose nothing, as they are and in a hurry.
func eachProtocol(t *testing.T, f func(t *testing.T, workers int, options []Option, r *rand.Rand)) {
	all := maps.Clone(protocolOptions)
	for _, v := range Variants() {
		if v.Lossy || v.Options == nil {
			continue
		}
		all[v.Name] = v.Options
		all[v.Name+" at once"] = append(v.Options, WithRoundsUntilSleepy(0))
	}
	for name, options := range all {
		for workers := 1; workers <= 3; workers++ {
			t.Run(fmt.Sprintf("%s/%d workers", name, workers), func(t *testing.T) {
				f(t, workers, options, rand.New(rand.NewPCG(proptest.Seed(t), uint64(workers))))
			})
		}
	}
}

// trickle posts jobs first to first+n-1, at times with a pause after which
// workers may be asleep.
func trickle(p *toy, first, n int, r *rand.Rand) {
	for job := first; job < first+n; job++ {
		p.post(job, p.NewInjectedJobs)
		for range r.IntN(30) * r.IntN(10) {
			runtime.Gosched()
		}
	}
}

// Catches: a wakeup that is lost between injectors and workers that fall asleep,
// a job taken twice, counters that drift, a worker that never sleeps (this hangs).
func TestInjectedJobsAreDone(t *testing.T) {
	eachProtocol(t, func(t *testing.T, workers int, options []Option, r *rand.Rand) {
		const each, rounds = 40, 5
		for range rounds {
			p := newToy(t, workers, 2*each, options...)
			p.start()
			r1, r2 := rand.New(rand.NewPCG(r.Uint64(), 0)), rand.New(rand.NewPCG(r.Uint64(), 0))
			proptest.Together(
				func() { trickle(p, 0, each, r1) },
				func() { trickle(p, each, each, r2) })
			p.settle(t)
			p.stop()
		}
	})
}

// Catches: a job that is stranded because of a worker that leaves: one that a poster
// counted as idle (BUG-39), or whose announcement rolled the JEC over to what
// another worker remembers (8.2). Worker 0 leaves at some moment.
func TestJobsAreDoneThoughAWorkerLeaves(t *testing.T) {
	eachProtocol(t, func(t *testing.T, workers int, options []Option, r *rand.Rand) {
		if workers == 1 {
			workers = 2 // a leaver must leave another worker
		}
		const each = 10
		for range 60 {
			p := newToy(t, workers, each, options...)
			p.start()
			r1, r2 := rand.New(rand.NewPCG(r.Uint64(), 0)), rand.New(rand.NewPCG(r.Uint64(), 0))
			proptest.Together(
				func() { trickle(p, 0, each, r1) },
				func() {
					for range r2.IntN(200) {
						runtime.Gosched()
					}
					p.latches[0].Set()
				})
			for !p.gone[0].Load() {
				if s := p.Parker(0); s.Asleep && !s.Notified && !p.gone[0].Load() {
					t.Fatal("worker 0's latch is set, and it sleeps on")
				}
				runtime.Gosched()
			}
			p.settle(t)
			p.stop()
		}
	})
}

// Catches: jobs that workers post themselves and no worker comes to.
func TestInternalJobsAreDone(t *testing.T) {
	eachProtocol(t, func(t *testing.T, workers int, options []Option, r *rand.Rand) {
		const total = 1<<7 - 1
		for range 5 {
			p := newToy(t, workers, total, options...)
			p.children = func(job int) []int { // a binary heap
				if 2*job+2 >= total {
					return nil
				}
				return []int{2*job + 1, 2*job + 2}
			}
			p.start()
			trickle(p, 0, 1, r)
			p.settle(t)
			p.stop()
		}
	})
}

// Catches: a latch whose setter and sleeping owner miss each other: the worker
// would sleep for ever, and the test hang. There is no job at all.
func TestSettingALatchWakesItsOwner(t *testing.T) {
	eachProtocol(t, func(t *testing.T, workers int, options []Option, r *rand.Rand) {
		for range 100 {
			p := newToy(t, workers, 0, options...)
			p.start()
			for range r.IntN(100) {
				runtime.Gosched()
			}
			p.stop()
			if c := p.Counters(); c.Inactive != 0 || c.Sleeping != 0 {
				t.Fatalf("all workers have left, but %+v", c)
			}
		}
	})
}
