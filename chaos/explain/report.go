package explain

import (
	"encoding/json"
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
)

// A Report is what people read of an execution that has failed.
type Report struct {
	Head      string // its first line
	Result    control.Result
	Events    []control.Event // nil for no table
	Why       Wakeup
	Scheduled []string // the paths of the tasks in its schedule
	Stack     []Frame  // of a panic
	Log       string   // of the execution, with a headline
	Notes     []string // a line each
}

// Page returns the report as data.
func (r *Report) Page() *Page {
	left := leftOf(r.Result.Tasks, foremost(r.Events, r.Result.Tasks), r.partners(), r.Why.Locks != "")
	p := &Page{Head: r.Head, Left: left, Stack: r.Stack, Detail: r.Result.Detail, Log: r.Log, Notes: r.Notes}
	if len(r.Events) > 0 {
		events, cited := withAccesses(r.Events, r.Why.Cited, raceIn(withEntries(r.Events), &r.Result))
		p.Table, p.Why = NewTable(events, cited, r.Result.Tasks, r.Scheduled), r.Why.Lines()
	}
	return p
}

// partners returns what the events show about the other side of waits; nil if they are not the events of the whole
// execution.
func (r *Report) partners() *partners {
	if len(r.Events) == 0 || r.Result.TracedFrom > 0 || len(r.Result.Tasks) == 0 {
		return nil
	}
	return partnersIn(r.Events, &r.Result)
}

// String returns the report as text, as wide as it is.
func (r *Report) String() string { return r.Page().Text(0) }

// Summary returns a result in one line.
func Summary(r control.Result) string {
	if r.Cause == "" {
		return r.Summary
	}
	return r.Cause + ", and so: " + string(r.Effect) + ": " + r.Summary
}

// Recorded returns a note of how many entries the schedule of a recording had when it was found, and has now.
func Recorded(found, now int) string {
	counted := fmt.Sprintf("%d decisions", found)
	if found == 1 {
		counted = "1 decision"
	}
	if found == now {
		return "recorded with " + counted
	}
	return fmt.Sprintf("recorded, and shrunk from %s to %d", counted, now)
}

// A Failure is an execution that has failed, as data.
type Failure struct {
	Verdict   verdict.Verdict `json:"verdict"`
	Summary   string          `json:"summary"`           // one line
	Differs   string          `json:"differs,omitempty"` // from the recording that was repeated; "" if it does not
	Page      *Page           `json:"page"`
	Timelines *Timelines      `json:"timelines"`
}

// FailureVariable is the environment variable by which stress explain --html asks a test binary for the
// failure that -chaos.replay repeats: the name of a file, for a Failure in JSON.
const FailureVariable = "CHAOS_FAILURE"

// Write writes the failure to a file.
func (f *Failure) Write(file string) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return atomicfile.Write(file, text)
}

// Way lists what the tasks of an execution did, a line for each event.
func Way(events []control.Event) []string {
	way := make([]string, len(events))
	for i, e := range events {
		way[i] = control.Title(e.Task, e.Name) + ": " + describe(e)
	}
	return way
}

// Divergence describes the first difference between the ways of two executions by the same schedule: the event,
// and for each the task and what it did.
func Divergence(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("at event %d, %s, and then %s", i+1, a[i], b[i])
		}
	}
	switch {
	case len(a) > len(b):
		return fmt.Sprintf("at event %d, %s, and then it had ended", len(b)+1, a[len(b)])
	case len(a) < len(b):
		return fmt.Sprintf("at event %d, it had ended, and then %s", len(a)+1, b[len(a)])
	}
	return "its events are the same"
}
