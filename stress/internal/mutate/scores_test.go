package mutate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/internal/operator"
)

const scores = "../../../evidence/mutation"

var placeIn = regexp.MustCompile(`"line":\d+,"column":\d+`)

// placed returns the data of a subject with the places that its mutants have. One that the source no longer
// has is at line 0.
func placed(text string, places map[string]string) (current string, err error) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		var m struct{ Package, ID, What string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return "", err
		}
		if m.ID != "" {
			at := places[m.Package+" "+m.ID+" "+m.What]
			if at == "" {
				at = `"line":0,"column":0`
			}
			line = placeIn.ReplaceAllLiteralString(line, at)
		}
		b.WriteString(line)
	}
	return b.String(), nil
}

// Catches: a line of evidence/mutation-scores.md at which its mutant no longer is. A mutant is known by its
// package, file, function and operator, and by its change; its line follows from the source.
func TestScoresNameTheLinesOfThisSource(t *testing.T) {
	planted, err := placed(`{"columns":[]}`+"\n"+`{"package":"p","id":"a","line":3,"column":4,"what":"x"}`+"\n"+`{"package":"p","id":"b","line":3,"column":4,"what":"y"}`+"\n",
		map[string]string{"p a x": `"line":5,"column":6`, "p b z": `"line":7,"column":8`})
	if want := `{"columns":[]}` + "\n" + `{"package":"p","id":"a","line":5,"column":6,"what":"x"}` + "\n" + `{"package":"p","id":"b","line":0,"column":0,"what":"y"}` + "\n"; err != nil || planted != want {
		t.Fatalf("the planted data became %s (%v)", planted, err)
	}
	all, err := packages.Load(&packages.Config{Mode: operator.Mode, Dir: "../../..", BuildFlags: []string{"-tags=chaos"}},
		"./pool", "./pool/burst", "./sleep", "./examples/queue")
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]string{}
	for _, p := range all {
		for _, m := range operator.Find(p) {
			places[p.PkgPath+" "+m.ID()+" "+m.What] = fmt.Sprintf(`"line":%d,"column":%d`, m.Position.Line, m.Position.Column)
		}
	}
	if len(places) < 1000 {
		t.Fatalf("the packages have %d mutants", len(places))
	}
	for _, name := range []string{"pool", "pool-groups", "queue"} { // the other subjects are not of this module
		file := filepath.Join(scores, name+".jsonl")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		current, err := placed(string(text), places)
		switch {
		case err != nil:
			t.Errorf("%s: %v", file, err)
		case current == string(text):
		case *golden.Update:
			if err := os.WriteFile(file, []byte(current), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s has mutants at other lines: go test ./stress/internal/mutate -run TestScores -update, then bin/mutation page in bench", file)
		}
	}
}
