package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

const plantedModule = "../testdata/planted"

// Catches: a planted bug without an expected verdict, or one that expect.txt has and the module not.
func TestBugsExist(t *testing.T) {
	bugs, err := Bugs(plantedModule)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, b := range bugs {
		want = append(want, b.Test)
	}
	slices.Sort(want)
	files, err := filepath.Glob(plantedModule + "/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)`)
	var got []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(text, -1) {
			got = append(got, string(m[1]))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the module has the tests\n%q\nexpect.txt has\n%q", got, want)
	}
}
