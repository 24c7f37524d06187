//go:build chaos

package run

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// TestParams: what a scenario says reaches the workload, from its file, from a recording, and
// from the line that carries it in others; what it does not say is the default.
func TestParams(t *testing.T) {
	var said string
	of := fixture.Tuned(func(s string) { said = s }).Subject()
	for _, c := range []struct{ sizes, want string }{
		{"sizes: {span: 1s}", "4 1s lifo true"},
		{"mode: control, sizes: {switch: false}", "2 5\u00b5s none false"},
		{"sizes: {span: 0s, count: 0x9, choice: first-come, switch: true}", "9 0s first-come true"},
		{"mode: control, sizes: {span: 2h30m0.000000001s, count: 1, choice: \"lifo\", switch: false}", "1 2h30m0.000000001s lifo false"},
	} {
		scenarios, err := scenario.Load("f.yaml", []byte(strings.Replace(fixture.TunedFile, "sizes: {span: 1s}", c.sizes, 1)), of)
		if err != nil {
			t.Errorf("%s: %v", c.sizes, err)
			continue
		}
		encoded, err := scenario.Load("encoded", scenario.Encode(scenarios), of)
		if err != nil {
			t.Fatal(err)
		}
		for i, sc := range []scenario.Scenario{scenarios[0], encoded[0]} {
			said = ""
			if r := (&Runner{Subjects: []subject.Subject{of}}).Execute(&sc, 1, 0, func() {}); r.Verdict != verdict.Pass || said != c.want || !reflect.DeepEqual(sc.Sizes, scenarios[0].Sizes) {
				t.Errorf("%s, %d: %s, it is %q, want %q", c.sizes, i, r.Verdict, said, c.want)
			}
		}
	}
}

// TestParamsInRecordings: a recording has them, and is replayed with them.
func TestParamsInRecordings(t *testing.T) {
	of := fixture.Tuned(func(string) {}).Subject()
	file := strings.Replace(fixture.TunedFile, "span: 1s", "span: 1m0.5s, choice: none, switch: false, count: 3", 1)
	scenarios, err := scenario.Load("f.yaml", []byte(file), of)
	if err != nil {
		t.Fatal(err)
	}
	r := NativeRecording(&scenarios[0], 7, &outcome.Result{Verdict: verdict.Deadlock, Summary: "x", Seed: subject.Seed(7, "s", 0)})
	again, err := parseRecording("r", []byte(r.String()), of)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"span": "1m0.5s", "choice": "none", "switch": "false", "count": "3"}; !reflect.DeepEqual(again.Scenario.Sizes, want) {
		t.Errorf("recorded were %v, want %v", again.Scenario.Sizes, want)
	}
}
