package operator

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	searched = regexp.MustCompile(`(?m)^// operators: (.*)$`)
	wanted   = regexp.MustCompile(`// want (.*)$`)
)

// Catches: an operator that finds less or more than it should. A file of the corpus says which
// operators it is for; of these each line must have the mutants that it names, and no others.
func TestCorpus(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var operators []string
		for _, m := range searched.FindAllStringSubmatch(string(source), -1) {
			operators = append(operators, strings.Fields(m[1])...)
		}
		found := map[int][]string{}
		for _, m := range Find(load(t, ".", "./"+filepath.ToSlash(filepath.Dir(name)))[0]) {
			if slices.Contains(operators, m.Operator.Name) && !slices.Contains(found[m.Position.Line], m.Operator.Name) {
				found[m.Position.Line] = append(found[m.Position.Line], m.Operator.Name)
			}
		}
		for i, line := range strings.Split(string(source), "\n") {
			var want []string
			if m := wanted.FindStringSubmatch(line); m != nil {
				want = strings.Fields(m[1])
			}
			for _, o := range want {
				tried[o] = true
			}
			got := found[i+1]
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s:%d: %s\ngot  %v\nwant %v", name, i+1, strings.TrimSpace(line), got, want)
			}
		}
	}
	for _, o := range All() {
		if !tried[o.Name] {
			t.Errorf("no line of the corpus wants %s", o.Name)
		}
	}
}
