package explain

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
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
	p := &Page{Head: r.Head, Left: leftOf(r.Result.Tasks, r.partners(), r.Why.Locks != ""), Stack: r.Stack, Detail: r.Result.Detail, Log: r.Log, Notes: r.Notes}
	if len(r.Events) > 0 {
		p.Table, p.Why = NewTable(r.Events, r.Why.Cited, r.Result.Tasks, r.Scheduled), r.Why.Lines()
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
