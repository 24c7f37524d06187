package run

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracle for memory that grows from execution to execution. It needs a process that runs many, because each
// leaves little behind.

const (
	// growthEvery is the number of executions between samples, whose garbage collections take some
	// hundredths of the time.
	growthEvery = 8
	// growthSamples is the least number of samples in the later half, which is judged; the earlier half is
	// warm-up. At mostGrowth samples every other one is dropped.
	growthSamples, mostGrowth = 12, 96
	// growthRising is the share of pairs of samples in which the later one must be larger: of random orders
	// of 12 samples, one in a million has it.
	growthRising = 0.95
	// growthBytes, or growthGoroutines, must have accumulated over the judged samples: more than the caches
	// of the runtime and of the oracles, which also grow for a while.
	growthBytes, growthGoroutines = 256 << 10, 8
)

// A growth follows the memory and the goroutines of a process.
type growth struct {
	samples []growthSample
	every   int // executions between two samples; 0 is growthEvery
	since   int // executions since the last sample
}

// A growthSample holds the heap and the goroutines of a process after an execution and a garbage collection.
type growthSample struct {
	execution        int
	heap, goroutines float64
}

// due reports whether a sample must be taken after this execution.
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
	runtime.GC() // frees what the first one left in a sync.Pool or for a finalizer
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

// finding returns a finding if the process grows, and nil otherwise.
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

// rises reports whether the samples rise, and by how much with each execution: the median of the
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
