//go:build chaos

package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/subject"
)

// tuned is a target whose workload has a parameter of each kind, and says what they are.
func tuned(says func(string)) subject.Target[int] {
	return subject.Target[int]{
		Name: "tuned",
		New:  func(*subject.Execution) int { return 0 },
		Workloads: []subject.Work[int]{
			{Name: "tell", Params: []subject.Param{
				subject.Count{Name: "count", Default: 4, Small: 2, Most: 9},
				subject.Span{Name: "span", Default: time.Millisecond, Small: 5 * time.Microsecond, Most: 3 * time.Hour, Zero: true},
				subject.Choice{Name: "choice", About: "who is first", Of: []string{"first-come", "lifo", "none"}, Default: "lifo", Small: "none"},
				subject.Switch{Name: "switch", Default: true},
			}, Run: func(x *subject.Execution, _ int) {
				says(fmt.Sprint(x.Count("count"), " ", x.Span("span"), " ", x.Choice("choice"), " ", x.Switch("switch")))
			}},
			{Name: "other", Params: []subject.Param{subject.Count{Name: "span", Default: 1, Most: 2}}, Run: func(*subject.Execution, int) {}},
		},
	}
}

const tunedFile = "version: 1\nscenarios:\n  - {name: s, about: x, workload: tell, sizes: {span: 1s}, expect: pass}\n"

// TestBadParams: the loader refuses them where they stand, and the schema refuses no more.
func TestBadParams(t *testing.T) {
	of := tuned(func(string) {}).Subject()
	text, err := Schema(of)
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(text))
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
		{"span: -1s", 6, `span: found the text "-1s", want a duration that is not negative, such as 200us, 1.5ms or 1m`, false},
		{"span: 1", 6, "span: found 1, want a duration that is not negative, such as 200us, 1.5ms or 1m", false},
		{"choice: lfio", 8, `unknown choice of choice "lfio"; did you mean "lifo"?`, false},
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
		_, err := Load("f.yaml", []byte(text), of)
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.sizes, err, want)
		}
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (refused == nil) != c.taken {
			t.Errorf("%s: the schema says %v", c.sizes, refused)
		}
	}
}
