package scale

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/bench/measure"
	"github.com/rouse-go/rouse/sleep"
)

// Measure measures the costs on this machine, in about a second. Nothing else should go on
// on it. It returns an error where GOMAXPROCS is 1, or, early, if ctx ends.
func Measure(ctx context.Context) (Costs, error) {
	c := Costs{Machine: measure.Machine()}
	if runtime.GOMAXPROCS(0) < 2 {
		return c, ErrOneCore
	}
	for _, step := range []func(){
		func() { c.Load = each(func(n int) { loads(n) }) },
		func() { c.RMW = each(func(n int) { adds(n) }) },
		func() { c.Transfer = max(handoff()-c.RMW, 0) / 2 }, // a handoff is a read and a write of the other's line
		func() { c.Probe = probe(64) },
		func() { c.ProbeMany = probe(4096) },
		func() { c.Yield = each(yields) },
		func() { c.Execute = each(boundaries) },
		func() { c.Notify, c.Wake = wakes(true) },
		func() { _, c.WakeQuick = wakes(false) },
		func() { c.NotifyNext = broadcast() },
		func() { c.Park = parks() },
	} {
		if err := ctx.Err(); err != nil {
			return c, context.Cause(ctx)
		}
		step()
	}
	return c, nil
}

// ErrOneCore says that what passes between cores cannot be measured.
var ErrOneCore = errors.New("GOMAXPROCS is 1: want 2 at least, to measure what passes between cores")

// each returns how long one of many takes: the least of some rounds, as anything else that goes
// on only makes it longer.
func each(many func(n int)) float64 {
	const n = 100_000
	least := time.Hour
	for range 20 {
		began := time.Now()
		many(n)
		least = min(least, time.Since(began))
	}
	return float64(least) / n
}

var sink atomic.Uint64

func loads(n int) {
	sum := uint64(0)
	for range n {
		sum += sink.Load()
	}
	sink.Store(sum)
}

func adds(n int) {
	for range n {
		sink.Add(1)
	}
}

func yields(n int) {
	for range n {
		runtime.Gosched()
	}
}

// boundaries does what a pool does around a job: a deferred recover.
func boundaries(n int) {
	for range n {
		boundary(adds)
	}
}

//go:noinline
func boundary(f func(int)) {
	defer func() { _ = recover() }()
	f(0)
}

// handoff is how long it takes until one core sees what another has written, and has answered.
func handoff() float64 {
	const n = 2000
	least := time.Hour
	for range 10 {
		var turn atomic.Uint32
		done := make(chan struct{})
		play := func(me uint32) {
			for range n {
				for turn.Load() != me {
				}
				turn.Store(1 - me)
			}
		}
		go func() {
			defer close(done)
			play(1)
		}()
		began := time.Now()
		play(0)
		<-done
		least = min(least, time.Since(began))
	}
	return float64(least) / (2 * n)
}

// victim is what a thief looks at: three lines of each deque, which are the owner's, the thieves' and
// that of requests.
type victim struct {
	top    atomic.Int64
	_      [56]byte
	bottom atomic.Int64
	_      [56]byte
	asked  atomic.Uint32
	_      [60]byte
}

// probe is one visit of a search that goes through that many empty deques.
func probe(victims int) float64 {
	all := make([]*victim, victims)
	for i := range all {
		all[i] = new(victim)
		all[i].asked.Store(1)
	}
	found, start := 0, 0
	took := each(func(n int) {
		for range n / victims {
			start += 7
			for i := range victims {
				v := all[(start+i)%victims]
				if v.top.Load() < v.bottom.Load() || v.asked.Load() == 0 {
					found++
				}
			}
		}
	})
	sink.Add(uint64(found))
	n := 100_000
	return took * float64(n) / float64(n/victims*victims)
}

// A dozer sleeps on a condition variable of its own, again and again.
type dozer struct {
	mu     sync.Mutex
	cond   sync.Cond
	asleep bool
	woken  time.Time // when it last ran again
	over   bool
	ended  chan struct{}
}

func newDozer() *dozer {
	d := &dozer{ended: make(chan struct{})}
	d.cond.L = &d.mu
	go func() {
		defer close(d.ended)
		d.mu.Lock()
		defer d.mu.Unlock()
		for !d.over {
			d.asleep = true
			d.cond.Wait()
			d.woken = time.Now()
		}
	}()
	return d
}

// settled returns when the dozer has been asleep for long enough that its thread is, too. A waker
// that computes does so here: one that has just been asleep itself starts no second core.
func (d *dozer) settled(computes bool) {
	for asleep := false; !asleep; {
		if computes {
			spin(200 * time.Microsecond)
		} else {
			time.Sleep(200 * time.Microsecond)
		}
		d.mu.Lock()
		asleep = d.asleep
		d.mu.Unlock()
	}
}

func spin(d time.Duration) {
	for began := time.Now(); time.Since(began) < d; {
	}
}

func (d *dozer) end() {
	d.mu.Lock()
	d.over = true
	d.cond.Signal()
	d.mu.Unlock()
	<-d.ended
}

// wakes returns what it takes to notify a sleeper, and how long it is until that runs, if its
// waker goes on computing, or waits.
func wakes(computes bool) (notify, wake float64) {
	d := newDozer()
	defer d.end()
	var notifies, latencies measure.Series
	for range 100 {
		d.settled(computes)
		d.mu.Lock()
		d.asleep = false
		began := time.Now()
		d.cond.Signal()
		sleep.HandOver()
		notified := time.Now()
		d.mu.Unlock()
		if !computes {
			time.Sleep(200 * time.Microsecond)
		}
		d.settled(computes)
		notifies = append(notifies, float64(notified.Sub(began)))
		d.mu.Lock()
		latencies = append(latencies, float64(d.woken.Sub(notified)))
		d.mu.Unlock()
	}
	return notifies.Median(), latencies.Median()
}

// broadcast returns what each sleeper but the first takes who is notified by a broadcast.
func broadcast() float64 {
	took := func(sleepers int) float64 {
		var mu sync.Mutex
		var all sync.WaitGroup
		cond := sync.NewCond(&mu)
		asleep, over := 0, false
		for range sleepers {
			all.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				for !over {
					asleep++
					cond.Wait()
				}
			})
		}
		var series measure.Series
		for i := range 30 {
			for ready := false; !ready; {
				time.Sleep(300 * time.Microsecond)
				mu.Lock()
				ready = asleep == sleepers
				mu.Unlock()
			}
			mu.Lock()
			asleep, over = 0, i == 29
			began := time.Now()
			cond.Broadcast()
			mu.Unlock()
			sleep.HandOver()
			series = append(series, float64(time.Since(began)))
		}
		all.Wait()
		return series.Median()
	}
	const many = 65
	return max(took(many)-took(1), 0) / (many - 1)
}

// parks returns the processor time of one sleep, beside the waker's: falling asleep, being
// brought back, and what the scheduler and the kernel do for that. The waker computes all the
// time, so whatever the process takes beyond that time is the sleeper's.
func parks() float64 {
	const n = 200
	d := newDozer()
	defer d.end()
	d.settled(true)
	cost, _ := measure.Of(func() error {
		for range n {
			d.mu.Lock()
			d.cond.Signal()
			sleep.HandOver()
			d.mu.Unlock()
			spin(300 * time.Microsecond)
		}
		return nil
	})
	return max(float64(cost.CPU-cost.Wall), 0) / n
}
