//go:build chaos

package original

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
)

var update = flag.Bool("update", false, "write the recordings and the table anew instead of comparing with them")

// A step of the protocol: its task, "s" for the sender or the number of a thread,
// and the point before it.
type step struct{ task, point string }

// letters are the steps of the protocol that the points precede.
var letters = map[string]string{
	"cas-pending": "E1", "slot-store": "E2", "count": "E3", "wake-write": "W",
	"recv-waiting": "R1", "poll": "R2", "recv-take": "R3", "read-token": "R4", "slot-take": "R5",
	"drop-store": "D", "drop-write": "D",
}

// steps are those of an execution, in their order. The last step of a thread it
// may only have been about to do.
func steps(events []control.Event) []step {
	var all []step
	for _, e := range events {
		name, ours := strings.CutPrefix(e.Point, "burst-original/")
		if !ours || e.Op >= 0 {
			continue
		}
		task := "s"
		if e.Task != "main" {
			task = strings.TrimPrefix(e.Task, "main/")
		}
		all = append(all, step{task, name})
	}
	return all
}

// mostSteps is how many the table shows.
const mostSteps = 40

// inWords writes steps as "s: E1 E2; 0: R3".
func inWords(steps []step) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case i == mostSteps:
			return b.String() + " ..."
		case i == 0:
			b.WriteString(s.task + ":")
		case s.task != steps[i-1].task:
			b.WriteString("; " + s.task + ":")
		}
		b.WriteString(" " + letters[s.point])
	}
	return b.String()
}

// row is a line of the table.
func row(d defect, found []finding, best *finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| [%s](%s) | %s | `%s` |", d.name, filepath.ToSlash(d.file()), d.what, d.verdict)
	for _, f := range found {
		if f.execution == 0 {
			b.WriteString(" - |")
		} else {
			fmt.Fprintf(&b, " %d |", f.execution)
		}
	}
	n := fmt.Sprint(len(best.steps))
	if d.verdict == verdict.Livelock {
		n = "endless"
	}
	model := ""
	if d.model > 0 {
		model = fmt.Sprint(d.model)
	}
	fmt.Fprintf(&b, " %d | %s | %s | `%s` |\n", best.Schedule.Len(), n, model, inWords(best.steps))
	return b.String()
}

// head is what the table begins with: %s are the names of strategies, and their rules.
const head = `# Defects of burst-pool 0.5.1

What a port of it does under control; ` + "`burst`" + ` runs the same programs and has none of it.
Generated: ` + "`go test -tags chaos ./pool/burst/internal/original -update`" + `.

- *Executions to find*, by strategy, each from the same seed; "-": not in %d executions,
  or in all that the strategy has.
- *Decisions*: what is left of the schedule after shrinking; 0 is the default course, where a
  thread runs until it blocks. The recording holds them.
- *Steps*: hook points passed in that execution, by the letters of the protocol (see
  doc.go); the last one of a thread it may only have been about to make. *Model*: the
  shortest counterexample of a model checker, which counts E2 and E3 as one, and R2 only
  where it lets a thread run.
- In the course, "s" is the sender, and a number is a receiver's thread.

| defect | what happens | verdict |%s decisions | steps | model | course |
|---|---|---|%s---:|---:|---:|---|
`

// tail is the defect that needs no schedule.
const tail = "| BP-10 | the eventfd is never closed, and a child process inherits it | natively: TestDescriptorsAreLeaked |%s | | | |\n"

// table is the file that keeps the table.
const table = "DEFECTS.md"

// compareTable writes the table, or compares it with the one that is there.
func compareTable(t *testing.T, rows string) {
	t.Helper()
	var names, rules, none strings.Builder
	for _, s := range strategies {
		names.WriteString(" " + s().Name() + " |")
		rules.WriteString("---:|")
		none.WriteString(" |")
	}
	got := fmt.Sprintf(head, most, &names, &rules) + rows + fmt.Sprintf(tail, &none)
	if *update {
		if err := os.WriteFile(table, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; -update if that is intended. Found\n%s", table, got)
	}
}
