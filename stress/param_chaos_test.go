//go:build chaos

package stress

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// tuned is a target whose workload has a parameter of each kind, and says what they are.
func tuned(says func(string)) Target[int] {
	return Target[int]{
		Name: "tuned",
		New:  func(*Execution) int { return 0 },
		Workloads: []Work[int]{
			{Name: "tell", Params: []Param{
				Count{Name: "count", Default: 4, Small: 2, Most: 9},
				Span{Name: "span", Default: time.Millisecond, Small: 5 * time.Microsecond, Most: 3 * time.Hour, Zero: true},
				Choice{Name: "choice", About: "who is first", Of: []string{"first-come", "lifo", "none"}, Default: "lifo", Small: "none"},
				Switch{Name: "switch", Default: true},
			}, Run: func(x *Execution, _ int) {
				says(fmt.Sprint(x.Count("count"), " ", x.Span("span"), " ", x.Choice("choice"), " ", x.Switch("switch")))
			}},
			{Name: "other", Params: []Param{Count{Name: "span", Default: 1, Most: 2}}, Run: func(*Execution, int) {}},
		},
	}
}

const tunedFile = "version: 1\nscenarios:\n  - {name: s, about: x, workload: tell, sizes: {span: 1s}, expect: pass}\n"

// TestParams: what a scenario says reaches the workload, from its file, from a recording, and
// from the line that carries it in others; what it does not say is the default.
func TestParams(t *testing.T) {
	var said string
	subject := tuned(func(s string) { said = s }).Subject()
	for _, c := range []struct{ sizes, want string }{
		{"sizes: {span: 1s}", "4 1s lifo true"},
		{"mode: control, sizes: {switch: false}", "2 5\u00b5s none false"},
		{"sizes: {span: 0s, count: 0x9, choice: first-come, switch: true}", "9 0s first-come true"},
		{"mode: control, sizes: {span: 2h30m0.000000001s, count: 1, choice: \"lifo\", switch: false}", "1 2h30m0.000000001s lifo false"},
	} {
		scenarios, err := Load("f.yaml", []byte(strings.Replace(tunedFile, "sizes: {span: 1s}", c.sizes, 1)), subject)
		if err != nil {
			t.Errorf("%s: %v", c.sizes, err)
			continue
		}
		encoded, err := Load("encoded", Encode(scenarios), subject)
		if err != nil {
			t.Fatal(err)
		}
		for i, sc := range []Scenario{scenarios[0], encoded[0]} {
			said = ""
			if r := execute(&sc, 1, 0, func() {}); r.Verdict != Pass || said != c.want || !reflect.DeepEqual(sc.Params, scenarios[0].Params) {
				t.Errorf("%s, %d: %s, it is %q, want %q", c.sizes, i, r.Verdict, said, c.want)
			}
		}
	}
}

// TestParamsInRecordings: a recording has them, and whoever reads it runs what was recorded.
func TestParamsInRecordings(t *testing.T) {
	subject := tuned(func(string) {}).Subject()
	file := strings.Replace(tunedFile, "span: 1s", "span: 1m0.5s, choice: none, switch: false, count: 3", 1)
	scenarios, err := Load("f.yaml", []byte(file), subject)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := installedCatalogue(subject)
	if err != nil {
		t.Fatal(err)
	}
	r := nativeRecording(&scenarios[0], 7, &Result{Verdict: Deadlock, Summary: "x", Seed: executionSeed(7, "s", 0)})
	again, err := parseRecording("r", []byte(r.String()), func() (*catalogue, error) { return cat, nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"span": "1m0.5s", "choice": "none", "switch": "false", "count": "3"}; !reflect.DeepEqual(again.Scenario.Params, want) {
		t.Errorf("recorded were %v, want %v", again.Scenario.Params, want)
	}
}

// TestBadParams: the loader refuses them where they stand, and the schema refuses no more.
func TestBadParams(t *testing.T) {
	subject := tuned(func(string) {}).Subject()
	text, err := subject.Schema()
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(strings.Replace(string(text), "urn:rouse:scenarios:tuned", SchemaID, 1)))
	const before = len("  - {name: s, about: x, workload: tell, sizes: {") + 1
	for _, c := range []struct {
		sizes  string
		column int
		want   string
		taken  bool // by the schema
	}{
		{"span: 1s", 0, "", true},
		{"span: 0s, count: 9, choice: none, switch: false", 0, "", true},
		{"count: 10", 7, "count: found 10, want a whole number from 1 to 9", false},
		{"count: many", 7, `count: found the text "many", want a whole number from 1 to 9`, false},
		{"span: 3h1ns", 6, "span: found 3h1ns, want a duration from 0s to 3h0m0s", true},
		{"span: -1s", 6, "span: found -1s, want a duration that is not negative", false},
		{"span: 1", 6, "span: found 1, want a duration such as 200us, 1.5ms or 1m", false},
		{"choice: lfio", 8, `choice: unknown choice "lfio"; did you mean "lifo"?`, false},
		{"choice: [lifo]", 8, "choice: found a list, want text", false},
		{"choice: true", 8, "choice: found true, want text", false},
		{"switch: on", 8, `switch: found the text "on", want true or false`, false},
		{"switch: 1", 8, "switch: found 1, want true or false", false},
		{"swich: true", 0, `unknown key "swich" in sizes; did you mean "switch"?`, false},
	} {
		text := strings.Replace(tunedFile, "span: 1s", c.sizes, 1)
		want := ""
		if c.want != "" {
			want = fmt.Sprintf("f.yaml:3:%d: %s", before+c.column, c.want)
		}
		_, err := Load("f.yaml", []byte(text), subject)
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.sizes, err, want)
		}
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (refused == nil) != c.taken {
			t.Errorf("%s: the schema says %v", c.sizes, refused)
		}
	}
}

// TestParamOfAnotherKind: asking for one is a defect of the program.
func TestParamOfAnotherKind(t *testing.T) {
	target := tuned(nil)
	e := &Execution{x: &execution{scenario: &Scenario{Workload: "tell"}}, params: target.Workloads[0].Params}
	for want, ask := range map[string]func(){
		"no stress.Count called span":    func() { e.Count("span") },
		"no stress.Span called count":    func() { e.Span("count") },
		"no stress.Choice called swich":  func() { e.Choice("swich") },
		"no stress.Switch called choice": func() { e.Switch("choice") },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, want) {
					t.Errorf("%s, want %s", p, want)
				}
			}()
			ask()
		}()
	}
}
