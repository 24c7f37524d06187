package outcome

import (
	"time"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Result is the outcome of one execution.
type Result struct {
	Execution int    // number within the campaign's scenario, from 0
	Seed      uint64 // of this execution
	Setting   string // see Scenario.Setting
	Verdict   verdict.Verdict
	// Summary names the victim in one line; "" if the verdict is Pass.
	Summary string
	// Explanation describes what happened in a few lines: which task checked, which posted, which
	// notification was dropped or never sent, which task sleeps.
	Explanation []string
	// State is the subject's own dump, Goroutines the runtime's, and Events the last
	// hook events of each task; "" if the verdict is Pass. Under control Goroutines has
	// the tasks that have not ended, and Events is a table with a column for each task.
	State, Goroutines, Events string
	Points                    []PointCount // points that were visited, by name
	Faults                    []FaultCount // in the order of the plan
	Duration                  time.Duration
}

// Counts of the engine, for reports.
type (
	PointCount = native.PointCount
	FaultCount = native.FaultCount
)

// The recording of a native execution that hangs, or ends its process, is accompanied by files of the
// same name with these endings, for the tools that read them.
const (
	// GoroutinesEnding is the ending of the goroutine dump, in the form of a crash.
	GoroutinesEnding = ".goroutines.txt"
	// EventsEnding is the ending of the ring of events: the last hook events of all tasks, by time.
	EventsEnding = ".events.txt"
	// TraceEnding is the ending of the execution trace of the last seconds, for go tool trace. A child
	// that could no longer report leaves none.
	TraceEnding = ".trace"
)

// RecordingEnding is the ending of a recording.
const RecordingEnding = ".rouse"
