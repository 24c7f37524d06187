//go:build chaos

package plan

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/hooks"
)

func TestParse(t *testing.T) {
	zero := uint64(0)
	delay := Fault{At: "check/passed", Kind: hooks.Delays, Min: 50 * time.Microsecond, Max: 2 * time.Millisecond, Probability: 0.1}
	drop := Fault{At: "check/notify", Kind: hooks.Drops, Count: 1, Task: "worker *, too"}
	for name, c := range map[string]struct {
		text string
		want Plan
	}{
		"inline":      {"at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1", Plan{0, []Fault{delay}}},
		"two, inline": {`at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1; at: check/notify, fault: drop, count: 1, task: "worker *, too"`, Plan{0, []Fault{delay, drop}}},
		"flow": {"seed: 0x10 # why not\n\nplan:\n  - {at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1}\n  - {at: check/notify, fault: drop, count: 1, task: 'worker *, too'} # a comment\n",
			Plan{16, []Fault{delay, drop}}},
		"block": {"- at: check/passed\n  fault: delay\n  for: 50us .. 2ms\n  probability: 0.1\r\n- at: check/notify\n  fault: drop\n  count: 1\n  task: \"worker *, too\"\n",
			Plan{0, []Fault{delay, drop}}},
		"JSON": {`[{"at": "check/passed", "fault": "delay", "for": "50us..2ms", "probability": 0.1}, {"at": "check/notify", "fault": "drop", "count": 1, "task": "worker *, too"}]`,
			Plan{0, []Fault{delay, drop}}},
		"lines": {"at: check/passed, fault: yield\nat: check/passed, fault: yield\n",
			Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields}, {At: "check/passed", Kind: hooks.Yields}}}},
		"all keys": {"at: check/passed, fault: hold, until: check/counter, for: 3s, from: 2, every: 3; at: check/counter, fault: roll, to: 0; at: check/counter, fault: roll, by: -4; at: check/passed, fault: delay, for: 1ms..9ms, shape: pareto, mean: 2ms",
			Plan{0, []Fault{
				{At: "check/passed", Kind: hooks.Holds, Until: "check/counter", Min: 3 * time.Second, Max: 3 * time.Second, From: 2, Every: 3},
				{At: "check/counter", Kind: hooks.Rolls, To: &zero},
				{At: "check/counter", Kind: hooks.Rolls, By: -4},
				{At: "check/passed", Kind: hooks.Delays, Min: time.Millisecond, Max: 9 * time.Millisecond, Shape: Pareto, Mean: 2 * time.Millisecond},
			}}},
	} {
		got, err := Parse("p", c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, c.want)
			continue
		}
		var lines []string
		for _, f := range got.Faults {
			lines = append(lines, "- "+f.String())
		}
		again, err := Parse("p", fmt.Sprintf("seed: %d\n%s", got.Seed, strings.Join(lines, "\n")))
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: written and read again: %+v, %v", name, again, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p:1:1: found no fault, want at least one, such as at: package/what, fault: delay, for: 1ms"},
		{"seed: 1\n", "p:1:1: found no fault, want at least one, such as at: package/what, fault: delay, for: 1ms"},
		{"seed: x\n", `p:1:7: seed: found "x", want a number of at most 64 bits`},
		{"at: check/pased, fault: yield", `p:1:5: at: found "check/pased", want a declared point, perhaps "check/passed"`},
		{"- at: check/passed\n  fault: yeild", `p:2:10: unknown fault "yeild"; did you mean "yield"?`},
		{"at: check/passed, fault: drop", `p:1:26: fault: found "drop", want what check/passed offers: delay, yield, hold`},
		{"at: check/passed, fault: delay", "p:1:26: for: found no duration, want how long the delay lasts at most"},
		{"at: check/passed, fault: delay, for: 11s", `p:1:38: for: found "11s", want a duration such as 1ms or a range such as 50us..2ms, above 0 and at most 10s`},
		{"at: check/passed, fault: delay, for: soon", `p:1:38: for: found "soon", want a duration such as 1ms or a range such as 50us..2ms, above 0 and at most 10s`},
		{"at: check/passed, fault: delay, for: 2ms..1ms", `p:1:38: for: found "2ms..1ms", want the smaller bound first: 1ms..2ms`},
		{"at: check/passed, fault: yield, for: 1ms", `p:1:38: for: found 1ms to 1ms, want no duration with "yield": it belongs to a delay or a hold`},
		{"at: check/passed, fault: yield, probabilty: 1", `p:1:33: unknown key "probabilty" in a fault; did you mean "probability"?`},
		{"at: check/passed, fault: yield, probability: 2", `p:1:46: probability: found "2", want a number above 0 and at most 1`},
		{"at: check/passed, fault: yield, count: 0", `p:1:40: count: found "0", want a whole number from 1 to 2147483647`},
		{"at: check/passed, fault: yield, task:", `p:1:38: task: found "", want the name of a task; without the key it is any`},
		{"at: check/passed, fault: yield, shape: pareot", `p:1:40: unknown shape "pareot"; did you mean "pareto"?`},
		{"at: check/passed, at: check/passed", `p:1:19: duplicate key "at" in a fault; the first is at line 1, column 5`},
		{"at: check/passed; fault: yield", `p:1:1: a fault lacks the key "fault"`},
		{"{fault: yield}", `p:1:2: a fault lacks the key "at"`},
		{"at: check/passed, yield", `p:1:19: found "yield", want a key and its value, such as fault: yield`},
		{"at: check/passed, fault: yield, task: 'x", "p:1:39: found a quotation mark without its other"},
		{"at: check/counter, fault: roll, by: 0", `p:1:37: by: found "0", want a whole number such as -2, not 0`},
		{"at: check/counter, fault: roll, to: -1", `p:1:37: to: found "-1", want a whole number, 0 or more, of at most 64 bits`},
		{strings.Repeat("at: check/passed, fault: yield\n", 257), "p:257:1: found more than 256 faults, want at most so many"},
		{"at: check/passed, fault: yield, ttl: x", `p:1:38: ttl: it is bad`},
	} {
		_, err := Parse("p", c.text, Word{"ttl", func(int, string) error { return errors.New("it is bad") }})
		var e *SyntaxError
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%.60q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// FuzzParse: whatever the text, it ends, and what is taken is a plan that can be carried
// out.
func FuzzParse(f *testing.F) {
	f.Add("at: check/passed, fault: delay, for: 1ms; {at: \"check/notify\", fault: drop} # x\n- at: x")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p", text)
		if err == nil && p.Check() != nil {
			t.Errorf("%q is taken, and yet: %v", text, p.Check())
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the error has several lines: %v", text, err)
		}
	})
}
