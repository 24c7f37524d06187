package operator

import (
	"strings"
	"testing"
)

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
