package sleep

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A bed is where goroutines sleep, by number, until another wakes them all.
type bed interface {
	sleep(i int)
	wake()
	close()
}

// beds are what parkers could be made of. System-specific files add theirs.
var beds = []bedding{
	{"channel", 1, func() bed { return make(channelBed, 1) }},
	{"channel-handover", 1, func() bed { return handoverBed{make(channelBed, 1)} }},
	{"parker", 1, newParkerBed},
	{"two-parkers", 2, newTwinBed},
}

type bedding struct {
	name     string
	sleepers int
	make     func() bed
}

type channelBed chan struct{}

func (b channelBed) sleep(int) { <-b }
func (b channelBed) wake()     { b <- struct{}{} }
func (channelBed) close()      {}

type handoverBed struct{ channelBed }

func (b handoverBed) wake() {
	b.channelBed.wake()
	HandOver()
}

// parkerBed is what ships, for a worker that is woken alone.
type parkerBed struct {
	parker
	early bool // woken before it slept
}

func newParkerBed() bed {
	b := new(parkerBed)
	b.cond.L = &b.mu
	return b
}

func (b *parkerBed) sleep(int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.early {
		b.block()
	}
	b.early = false
}

func (b *parkerBed) wake() {
	b.notifyIfBlocked()
	HandOver()
}

func (b *parkerBed) notifyIfBlocked() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.early = !b.blocked; !b.early {
		b.blocked = false
		b.notify()
	}
}

func (*parkerBed) close() {}

// twinBed is what ships for two workers, one of them woken ahead: that hands over the other.
type twinBed [2]*parkerBed

func newTwinBed() bed { return twinBed{newParkerBed().(*parkerBed), newParkerBed().(*parkerBed)} }

func (b twinBed) sleep(i int) { b[i].sleep(i) }

func (b twinBed) wake() {
	for i := range b {
		b[i].notifyIfBlocked()
	}
}

func (twinBed) close() {}

// BenchmarkWake is how long a sleeper, the first if there are two, takes to run after it was
// woken, on a machine with nothing else to do, if its waker has computed and computes on, has
// computed and blocks, or has slept and blocks. The beds take turns.
func BenchmarkWake(b *testing.B) {
	for _, mode := range []struct {
		name               string
		computed, computes bool
	}{{"computes", true, true}, {"blocks", true, false}, {"slept-blocks", false, false}} {
		b.Run(mode.name, func(b *testing.B) {
			delays := make([][]time.Duration, len(beds))
			sleepers := make([]*benchSleeper, len(beds))
			for i := range beds {
				sleepers[i] = newBenchSleeper(beds[i])
			}
			for b.Loop() {
				for i, s := range sleepers {
					delays[i] = append(delays[i], s.delay(mode.computed, mode.computes))
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

// A benchSleeper sleeps in one bed, alone or not, and notes when the first has woken.
type benchSleeper struct {
	bed    bed
	n      int32
	asleep atomic.Int32
	begun  time.Time
	woken  atomic.Int64 // after begun
	over   atomic.Bool
	ended  sync.WaitGroup
}

func newBenchSleeper(b bedding) *benchSleeper {
	s := &benchSleeper{bed: b.make(), n: int32(b.sleepers), begun: time.Now()}
	for i := range b.sleepers {
		s.ended.Go(func() {
			for !s.over.Load() {
				s.asleep.Add(1)
				s.bed.sleep(i)
				s.woken.CompareAndSwap(0, int64(time.Since(s.begun)))
			}
		})
	}
	return s
}

// settle returns when all are asleep, or are about to be.
func (s *benchSleeper) settle() {
	for s.asleep.Load() < s.n {
		runtime.Gosched()
	}
}

// delay wakes the sleeper, when it has slept long enough for its processor to sleep, too.
func (s *benchSleeper) delay(computed, computes bool) time.Duration {
	const deep = 2 * time.Millisecond
	s.settle()
	if computed {
		compute(deep, nil)
	} else {
		time.Sleep(deep)
	}
	s.asleep.Store(0)
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
	s.settle()
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
				bed.sleep(0)
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(b.N), "us-late")
		})
	}
}
