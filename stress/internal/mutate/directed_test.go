package mutate

import (
	"slices"
	"strings"
	"testing"
)

// Catches: a mutant that no test is tried on, and that is said to be on a line that no test runs, below a //line
// directive or in a file that one names.
func TestLineDirectives(t *testing.T) {
	const body = "(c chan int) {\n\tclose(c)\n}\n"
	module(t, map[string]string{
		"go.mod":      "module example.com/directed\n\ngo 1.25\n",
		"a.go":        "package directed\n\n//line a.y:100\nfunc A" + body + "\n//line a.y:100\nfunc Never" + body,
		"b.go":        "package directed\n\nfunc B" + body,
		"c.go":        "package directed\n\nfunc C" + body + "\nfunc NeverC" + body,
		"named.go":    "package directed\n\n/*line b.go:70*/ var _ int\n",
		"all_test.go": "package directed\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\tfor _, f := range []func(chan int){A, B, C} {\n\t\tc := make(chan int)\n\t\tf(c)\n\t\tselect {\n\t\tcase <-c:\n\t\tdefault:\n\t\t\tt.Error(\"it is open\")\n\t\t}\n\t}\n}\n",
	})
	r, notes := run(t, Options{Ways: []string{Plain}, Budget: budget, Seed: 1, Operators: []string{"delete-close"}})
	var got []string
	for _, m := range r.Mutants {
		got = append(got, m.Function+" "+string(m.Status))
	}
	if want := []string{"A killed", "Never survived", "B killed", "C killed", "NeverC uncovered"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, file := range []string{"a.go", "b.go"} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, file+" has lines of //line directives") }) {
			t.Errorf("no note of %s: %q", file, notes)
		}
	}
}
