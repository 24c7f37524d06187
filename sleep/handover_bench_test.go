package sleep

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A bed is where one goroutine sleeps until another wakes it.
type bed interface {
	sleep()
	wake()
	close()
}

// beds are what parkers could be made of. System-specific files add theirs.
var beds = []struct {
	name string
	make func() bed
}{
	{"channel", func() bed { return make(channelBed, 1) }},
	{"channel-handover", func() bed { return handoverBed{make(channelBed, 1)} }},
	{"parker", newParkerBed},
}

type channelBed chan struct{}

func (b channelBed) sleep() { <-b }
func (b channelBed) wake()  { b <- struct{}{} }
func (channelBed) close()   {}

type handoverBed struct{ channelBed }

func (b handoverBed) wake() {
	b.channelBed.wake()
	HandOver()
}

// parkerBed is what ships.
type parkerBed struct {
	parker
	early bool // woken before it slept
}

func newParkerBed() bed {
	b := new(parkerBed)
	b.cond.L = &b.mu
	return b
}

func (b *parkerBed) sleep() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.early {
		b.block()
	}
	b.early = false
}

func (b *parkerBed) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.early = !b.blocked; !b.early {
		b.blocked = false
		b.notify()
	}
}

func (*parkerBed) close() {}

// BenchmarkWake is how long a sleeper takes to run after it was woken, on a machine with
// nothing else to do, if its waker computes on, and if it blocks. The beds take turns.
func BenchmarkWake(b *testing.B) {
	for _, mode := range []string{"computes", "blocks"} {
		b.Run(mode, func(b *testing.B) {
			delays := make([][]time.Duration, len(beds))
			sleepers := make([]*benchSleeper, len(beds))
			for i := range beds {
				sleepers[i] = newBenchSleeper(beds[i].make())
			}
			for b.Loop() {
				for i, s := range sleepers {
					delays[i] = append(delays[i], s.delay(mode == "computes"))
				}
			}
			for i, s := range sleepers {
				s.end()
				slices.Sort(delays[i])
				n := len(delays[i])
				b.ReportMetric(float64(delays[i][n/2])/1e3, beds[i].name+"-p50-us")
				b.ReportMetric(float64(delays[i][n*99/100])/1e3, beds[i].name+"-p99-us")
			}
		})
	}
}

// A benchSleeper sleeps, and notes when it has woken.
type benchSleeper struct {
	bed    bed
	asleep atomic.Bool
	begun  time.Time
	woken  atomic.Int64 // after begun
	over   atomic.Bool
	ended  sync.WaitGroup
}

func newBenchSleeper(bed bed) *benchSleeper {
	s := &benchSleeper{bed: bed, begun: time.Now()}
	s.ended.Go(func() {
		for !s.over.Load() {
			s.asleep.Store(true)
			bed.sleep()
			s.woken.Store(int64(time.Since(s.begun)))
		}
	})
	return s
}

// delay wakes the sleeper, when it has slept long enough for its processor to sleep, too.
func (s *benchSleeper) delay(computes bool) time.Duration {
	const deep = 2 * time.Millisecond
	for !s.asleep.Load() {
		runtime.Gosched()
	}
	if computes {
		compute(deep, nil)
	} else {
		time.Sleep(deep)
	}
	s.asleep.Store(false)
	s.woken.Store(0)
	posted := time.Since(s.begun)
	s.bed.wake()
	if computes {
		compute(deep, &s.woken)
	}
	for s.woken.Load() == 0 {
		time.Sleep(deep / 2)
	}
	return time.Duration(s.woken.Load()) - posted
}

// compute keeps the processor busy for so long, or until v is not 0.
func compute(d time.Duration, v *atomic.Int64) {
	for begun := time.Now(); time.Since(begun) < d && (v == nil || v.Load() == 0); {
	}
}

func (s *benchSleeper) end() {
	for !s.asleep.Load() {
		runtime.Gosched()
	}
	s.over.Store(true)
	s.bed.wake()
	s.ended.Wait()
	s.bed.close()
}

// BenchmarkNeighbour is how late a goroutine begins that was ready when another one on its
// processor, the only one, went to sleep.
func BenchmarkNeighbour(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, bed := range beds {
		b.Run(bed.name, func(b *testing.B) {
			bed := bed.make()
			defer bed.close()
			var sum time.Duration
			for b.Loop() {
				ready := time.Now()
				go func() {
					sum += time.Since(ready)
					compute(100*time.Microsecond, nil) // the sleeper sleeps by now
					bed.wake()
				}()
				bed.sleep()
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N), "us-late")
		})
	}
}
