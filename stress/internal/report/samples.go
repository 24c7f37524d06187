package report

import (
	"runtime/metrics"
	"slices"
	"time"
)

// sampleTime is the least time between two samples.
const sampleTime = 200 * time.Millisecond

// A Sample is what a campaign had done, and what its own process held, at one moment. The
// processes that run executions are not in it.
type Sample struct {
	Elapsed    time.Duration `json:"elapsed_ns"` // since the campaign began, without what was lost
	Executions int           `json:"executions"` // of all scenarios until then
	// Memory is what the process has of the system, in bytes, without what it has given back;
	// Live is what of its heap was in use at the last collection. Both are the most since the
	// sample before.
	Memory uint64 `json:"memory"`
	Live   uint64 `json:"live"`
}

// mostSamples bounds what a campaign keeps, however long it is.
const MostSamples = 512

// samples are a campaign's, evenly spread over its time: when there are too many, every second
// one goes, and half as many are taken. How they thin out follows from the samples alone.
type Samples struct {
	Kept  []Sample
	Every time.Duration
}

// due reports whether add would take one with that time.
func (s *Samples) Due(elapsed time.Duration) bool {
	return len(s.Kept) == 0 || elapsed-s.Kept[len(s.Kept)-1].Elapsed >= max(s.Every, sampleTime)
}

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

func (s Samples) Clone() Samples { return Samples{slices.Clone(s.Kept), s.Every} }

// heldNow is what this process holds.
func HeldNow() (memory, live uint64) {
	read := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(read)
	return read[0].Value.Uint64() - read[1].Value.Uint64(), read[2].Value.Uint64()
}
