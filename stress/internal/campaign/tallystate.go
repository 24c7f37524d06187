package campaign

import (
	"slices"

	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A tallyState is a tally as a journal keeps it.
type tallyState struct {
	Executions int
	Took       outcome.Latencies `json:",omitzero"`
	Next       int
	Faults     []outcome.FaultCount `json:",omitempty"`
	Points     []outcome.PointCount `json:",omitempty"`
	Failure    *outcome.Result      `json:",omitempty"`
	Recording  string               `json:",omitempty"`
	Steps      uint64               `json:",omitempty"`
	Timers     uint64               `json:",omitempty"`
	Complete   bool                 `json:",omitempty"`
	Bounded    string               `json:",omitempty"`
	Schedule   string               `json:",omitempty"`
	Shrunk     string               `json:",omitempty"`
}

func (t *tally) state() tallyState {
	return tallyState{t.executions, t.took, t.next, slices.Clone(t.faults), t.pointCounts(), t.failure, t.recording,
		t.steps, t.timers, t.complete, t.bounded, t.schedule, t.shrunk}
}

// tally is the one that had that state, of no scenario.
func (s *tallyState) tally() *tally {
	t := &tally{executions: s.Executions, took: s.Took, next: s.Next, faults: s.Faults, points: map[string]uint64{}, failure: s.Failure,
		recording: s.Recording, steps: s.Steps, timers: s.Timers, complete: s.Complete, bounded: s.Bounded, schedule: s.Schedule, shrunk: s.Shrunk}
	for _, p := range s.Points {
		t.points[p.Point] = p.Hits
	}
	return t
}
