package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// Catches: a kernel of GoKer that is in neither place, or that the list has in the wrong one, and a test of the table
// that GOROOT does not have.
func TestGoKerComplete(t *testing.T) {
	text, err := os.ReadFile("programs/goker/README.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	var listed, kernels []string
	for _, row := range regexp.MustCompile("(?m)^\\| (\\w+) \\| (\\d+) \\| ([a-z-]+) \\| `(\\w+)` \\|$").FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, row[4]+"/"+row[1]+row[2])
		kinds[row[3]]++
	}
	sets, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	for _, b := range All(sets) {
		switch b.Set.Name {
		case "goroot":
			tests = append(tests, b.Test)
		case "goker":
			kernels = append(kernels, strings.TrimPrefix(b.Package, "./")+"/"+b.Name)
		}
	}
	module := t.TempDir()
	inGOROOT, err := goroot.GoKer(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Sort(tests); !slices.Equal(tests, inGOROOT) {
		t.Errorf("goroot/bugs.yaml has the tests\n%v, want those of GOROOT\n%v", tests, inGOROOT)
	}
	files, err := filepath.Glob(filepath.Join(module, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if name = filepath.Base(name); name != "goker_test.go" {
			kernels = append(kernels, "GOROOT/"+strings.TrimSuffix(name, ".go"))
		}
	}
	for _, k := range kernels {
		if !slices.Contains(listed, k) {
			t.Errorf("README.md does not list %s", k)
		}
	}
	if kinds["blocking"] != 68 || kinds["non-blocking"] != 35 || len(listed) != 103 || len(kernels) != 103 {
		t.Errorf("%d kernels, %d listed as %v; want 68 blocking and 35 non-blocking", len(kernels), len(listed), kinds)
	}
}
