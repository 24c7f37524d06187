//go:build chaos

package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/fixture"
)

// TestBadParams: the loader refuses them where they stand, and the schema refuses no more.
func TestBadParams(t *testing.T) {
	of := fixture.Tuned(func(string) {}).Subject()
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
		text := strings.Replace(fixture.TunedFile, "span: 1s", c.sizes, 1)
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
