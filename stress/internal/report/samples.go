package report

import (
	"runtime/metrics"
	"slices"
	"time"
)

// sampleTime is the least time between two samples.
const sampleTime = 200 * time.Millisecond

// A Sample is the progress of a campaign, and the memory of its own process, at one moment. The
// processes that run executions are not included.
type Sample struct {
	Elapsed    time.Duration `json:"elapsed_ns"` // since the campaign began, without time that a kill lost
	Executions int           `json:"executions"` // executions of all scenarios until then
	// Memory is the memory that the process holds, in bytes; Live is the heap in use at the last
	// collection. Both are the maximum since the previous sample.
	Memory uint64 `json:"memory"`
	Live   uint64 `json:"live"`
}

// MostSamples is the maximum number of samples that a campaign keeps.
const MostSamples = 512

// Samples holds the samples of a campaign, evenly spread over its time: when there are too many, every second
// one is dropped, and from then on half as many are taken. Which are dropped depends only on the samples.
type Samples struct {
	Kept  []Sample
	Every time.Duration
}

// Due reports whether it is time for another sample.
func (s *Samples) Due(elapsed time.Duration) bool {
	return len(s.Kept) == 0 || elapsed-s.Kept[len(s.Kept)-1].Elapsed >= max(s.Every, sampleTime)
}

// Add adds a sample.
func (s *Samples) Add(x Sample) {
	if s.Kept = append(s.Kept, x); len(s.Kept) < MostSamples {
		return
	}
	s.Every = 2 * max(s.Every, sampleTime)
	half := s.Kept[:0]
	for i := 0; i+1 < len(s.Kept); i += 2 {
		a, b := s.Kept[i], s.Kept[i+1]
		b.Memory, b.Live = max(a.Memory, b.Memory), max(a.Live, b.Live)
		half = append(half, b)
	}
	s.Kept = half
}

// Clone returns a copy.
func (s Samples) Clone() Samples { return Samples{slices.Clone(s.Kept), s.Every} }

// HeldNow returns the memory that this process holds, and its live heap, in bytes.
func HeldNow() (memory, live uint64) {
	read := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(read)
	return read[0].Value.Uint64() - read[1].Value.Uint64(), read[2].Value.Uint64()
}
