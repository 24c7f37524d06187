package operator

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Catches: an operator that does not do what the documentation shows.
func TestExamples(t *testing.T) {
	sources := map[string]string{}
	for _, o := range All() {
		sources[o.Name] = wrap(t, o.Before)
	}
	loaded := loadSources(t, sources)
	for _, o := range All() {
		source, after, found := []byte(sources[o.Name]), wrap(t, o.After), false
		var others []string
		for _, m := range Find(loaded[o.Name]) {
			if m.Operator != o {
				continue
			}
			if text := formatted(t, string(m.Apply(source))); text == after {
				found = true
			} else {
				others = append(others, m.What+"\n"+m.Diff(source, "example.go"))
			}
		}
		if !found {
			t.Errorf("%s does not make\n%s\nof\n%s\nbut:\n%s", o.Name, o.After, o.Before, strings.Join(others, "\n"))
		}
	}
}

// Catches: an operator without a name, a description or an example, and two with the same name.
func TestOperatorsAreDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range All() {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(o.Name) || seen[o.Name] {
			t.Errorf("%q is no name, or not the only one", o.Name)
		}
		seen[o.Name] = true
		if o.Doc == "" || strings.HasSuffix(o.Doc, ".") || o.Before == "" || o.Before == o.After || len(o.nodes) == 0 {
			t.Errorf("%s: the description is incomplete: %+v", o.Name, o)
		}
	}
}

// Catches: IDs that are not unique in a package, positions and edits that are not in the file.
func TestMutantsOfQueue(t *testing.T) {
	ids := map[string]bool{}
	mutants := Find(load(t, "../../../examples/queue", ".")[0])
	if len(mutants) == 0 {
		t.Fatal("no mutants")
	}
	for _, m := range mutants {
		if ids[m.ID()] {
			t.Errorf("two mutants have the ID %s", m.ID())
		}
		ids[m.ID()] = true
		source, err := os.ReadFile(m.File)
		if err != nil {
			t.Fatal(err)
		}
		if m.Position.Line == 0 || m.Position.Filename != m.File || m.Function == "" || m.What == "" {
			t.Errorf("%s: %+v", m.ID(), m)
		}
		if m.Diff(source, "queue.go") == "" {
			t.Errorf("%s changes nothing", m.ID())
		}
	}
	if id := "queue.go/Queue.Put/delete-unlock/1"; !ids[id] {
		t.Errorf("%s is missing", id)
	}
}

// Catches: an operator without a row, cells that a bar splits, and an example that is not shown.
func TestTable(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Table(), "\n"), "\n")
	if len(lines) != len(All())+2 {
		t.Fatalf("%d lines for %d operators", len(lines), len(All()))
	}
	for i, o := range All() {
		row := lines[i+2]
		cells := strings.Split(strings.ReplaceAll(row, `\|`, ""), "|")
		if len(cells) != 5 || !strings.HasPrefix(row, "| `"+o.Name+"` | ") {
			t.Errorf("the row of %s is %q", o.Name, row)
		}
		if !strings.Contains(row, "`- ") && !strings.Contains(row, "`+ ") {
			t.Errorf("the row of %s shows no change: %q", o.Name, row)
		}
	}
	want := "| `for-to-if` | a loop around a wait checks its condition once | `  mu.Lock()`<br>`- for len(queue) == 0 {`<br>" +
		"`+ if len(queue) == 0 {`<br>`    cond.Wait()`<br>`  }`<br>`  mu.Unlock()` |\n"
	if !strings.Contains(Table(), want) {
		t.Errorf("%q is not in\n%s", want, Table())
	}
}
