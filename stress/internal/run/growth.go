package run

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracle of memory that grows from execution to execution, in a process that runs many: what each
// leaves behind is small.

const (
	// growthEvery executions a sample is taken: its garbage collections take some hundredths of the
	// time.
	growthEvery = 8
	// growthSamples at least of the later half are judged; the earlier half is warm-up. At mostGrowth
	// samples every other one is dropped.
	growthSamples, mostGrowth = 12, 96
	// growthRising is the share of pairs of samples of which the later must be the larger: of 12 samples
	// in random order, one in a million does so.
	growthRising = 0.95
	// growthBytes, or growthGoroutines, must have accumulated over those samples: more than the caches
	// of the runtime and of the oracles, which grow for a while, too.
	growthBytes, growthGoroutines = 256 << 10, 8
)

// A growth follows the memory and the goroutines of a process.
type growth struct {
	samples []growthSample
	every   int // executions between two samples; 0 is growthEvery
	since   int // executions since the last
}

// A growthSample is what a process holds after that execution and a garbage collection.
type growthSample struct {
	execution        int
	heap, goroutines float64
}

// due reports whether a sample is to be taken after this execution.
func (g *growth) due() bool {
	if g.every == 0 {
		g.every = growthEvery
	}
	if g.since++; g.since < g.every {
		return false
	}
	g.since = 0
	return true
}

// sample takes a sample.
func (g *growth) sample(execution int) {
	runtime.GC()
	runtime.GC() // what the first one left in a sync.Pool or for a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.add(growthSample{execution, float64(m.HeapAlloc), float64(runtime.NumGoroutine())})
}

func (g *growth) add(s growthSample) {
	if g.samples = append(g.samples, s); len(g.samples) < mostGrowth {
		return
	}
	for i := range mostGrowth / 2 {
		g.samples[i] = g.samples[2*i+1]
	}
	g.samples = g.samples[:mostGrowth/2]
	g.every *= 2
}

// finding reports a process that grows; nil if it does not.
func (g *growth) finding() *subject.Finding {
	late := g.samples[len(g.samples)/2:]
	if len(late) < growthSamples {
		return nil
	}
	first, last := late[0].execution, late[len(late)-1].execution
	if by, ok := rises(late, func(s growthSample) float64 { return s.goroutines }); ok && by*float64(last-first) >= growthGoroutines {
		return &subject.Finding{Verdict: verdict.MemoryGrowth, Summary: fmt.Sprintf("the number of goroutines grows, by %.2g with each execution: %.0f after execution %d, %.0f after execution %d",
			by, late[0].goroutines, first, late[len(late)-1].goroutines, last)}
	}
	if by, ok := rises(late, func(s growthSample) float64 { return s.heap }); ok && by*float64(last-first) >= growthBytes {
		return &subject.Finding{Verdict: verdict.MemoryGrowth, Summary: fmt.Sprintf("the heap grows, by %.0f bytes with each execution: %.0f KiB after execution %d, %.0f KiB after execution %d, after garbage collections",
			by, late[0].heap/1024, first, late[len(late)-1].heap/1024, last)}
	}
	return nil
}

// rises reports whether the samples do, and by how much with each execution: the median of the
// slopes of all pairs (Theil and Sen), which outliers do not move.
func rises(samples []growthSample, of func(growthSample) float64) (by float64, ok bool) {
	var slopes []float64
	rising := 0
	for i, a := range samples {
		for _, b := range samples[i+1:] {
			slope := (of(b) - of(a)) / math.Max(1, float64(b.execution-a.execution))
			if slope > 0 {
				rising++
			}
			slopes = append(slopes, slope)
		}
	}
	slices.Sort(slopes)
	return slopes[len(slopes)/2], float64(rising) >= growthRising*float64(len(slopes))
}
