package explain

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
)

// A Report is what people read of an execution that has failed.
type Report struct {
	Head   string // its first line
	Result control.Result
	Events []control.Event // nil: there is no table
	Why    Wakeup
	Log    string   // of the execution, with a headline
	Notes  []string // a line each
}

// String returns the table, the explanation, the tasks that are part of the verdict, and what else
// there is, in paragraphs.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.Head + "\n")
	if len(r.Events) > 0 {
		b.WriteString("\n" + Table(r.Events, r.Why.Cited...))
		if lines := r.Why.Lines(); len(lines) > 0 {
			b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	for _, t := range r.Result.Tasks {
		b.WriteString("\n" + t.String())
	}
	for _, text := range []string{r.Result.Detail, r.Log} {
		if text != "" {
			b.WriteString("\n" + text)
		}
	}
	b.WriteByte('\n')
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Summary is a result in one line.
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
