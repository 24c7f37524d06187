//go:build chaos

package plan

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rouse-go/rouse/hooks"
)

type example struct {
	text string
	want Plan
}

// good are the texts that Parse takes, by what they are about.
func good() map[string]example {
	zero := uint64(0)
	delay := Fault{At: "check/passed", Kind: hooks.Delays, Min: 50 * time.Microsecond, Max: 2 * time.Millisecond, Probability: 0.1}
	drop := Fault{At: "check/notify", Kind: hooks.Drops, Count: 1, Task: "worker *, too"}
	return map[string]example{
		"one fault": {"{at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1}", Plan{0, []Fault{delay}}},
		"a list":    {`[{at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1}, {at: check/notify, fault: drop, count: 1, task: "worker *, too"}]`, Plan{0, []Fault{delay, drop}}},
		"flow": {"seed: 0x10 # why not\n\nplan:\n  - {at: check/passed, fault: delay, for: 50us..2ms, probability: 0.1}\n  - {at: check/notify, fault: drop, count: 1, task: 'worker *, too'} # a comment\n",
			Plan{16, []Fault{delay, drop}}},
		"block": {"- at: check/passed\n  fault: delay\n  for: 50us .. 2ms\n  probability: 0.1\r\n- at: check/notify\n  fault: drop\n  count: 1\n  task: \"worker *, too\"\n",
			Plan{0, []Fault{delay, drop}}},
		"JSON": {`[{"at": "check/passed", "fault": "delay", "for": "50us..2ms", "probability": 0.1}, {"at": "check/notify", "fault": "drop", "count": 1, "task": "worker *, too"}]`,
			Plan{0, []Fault{delay, drop}}},
		"lines":                {"at: check/passed\nfault: yield\n", Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields}}}},
		"a seed":               {"{seed: 7, plan: [{at: check/passed, fault: yield}]}", Plan{7, []Fault{{At: "check/passed", Kind: hooks.Yields}}}},
		"a mapping":            {"plan:\n  - at: check/passed\n    fault: delay\n    for: 50us..2ms\n    probability: 1e-1\n  # and\n  - {at: check/notify, fault: drop, count: 1,\n     task: \"worker *, too\"}\nseed: 0x7\n", Plan{7, []Fault{delay, drop}}},
		"a mapping, in JSON":   {`{"seed":7,"plan":[{"at":"check/passed","fault":"delay","for":"50us..2ms","probability":0.1}]}`, Plan{7, []Fault{delay}}},
		"a list not indented":  {"plan:\n- {at: check/notify, fault: drop, count: 1, task: 'worker *, too'}", Plan{0, []Fault{drop}}},
		"JSON, on many lines":  {"[\n  {\"at\": \"check/notify\", \"fault\": \"drop\",\n   \"count\": 1, \"task\": \"worker *, too\"}\n]\n", Plan{0, []Fault{drop}}},
		"several points":       {"{at: [check/passed, check/notify], fault: yield}", Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields}, {At: "check/notify", Kind: hooks.Yields}}}},
		"anchor and merge":     {"- &a {at: check/passed, fault: delay, for: 50us..2ms}\n- {<<: *a, probability: 0.1}", Plan{0, []Fault{{At: "check/passed", Kind: hooks.Delays, Min: delay.Min, Max: delay.Max}, delay}}},
		"an alias":             {"[&a {at: check/notify, fault: drop, count: 1, task: 'worker *, too'}, *a]", Plan{0, []Fault{drop, drop}}},
		"quotation marks":      {`[{at: check/passed, fault: yield, task: "a;b # c"}, {at: check/passed, fault: yield, task: 'it''s'}]`, Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields, Task: "a;b # c"}, {At: "check/passed", Kind: hooks.Yields, Task: "it's"}}}},
		"escapes":              {`{at: check/passed, fault: yield, task: "\"a\\b\u00fc'"}`, Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields, Task: "\"a\\b\u00fc'"}}}},
		"comma in a plain one": {"- at: check/passed\n  fault: yield\n  task: a, b", Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields, Task: "a, b"}}}},
		"a document":           {"\uFEFF---\n- {at: check/passed, fault: yield}\n", Plan{0, []Fault{{At: "check/passed", Kind: hooks.Yields}}}},
		"all keys": {"[{at: check/passed, fault: hold, until: check/counter, for: 3s, from: 2, every: 3}, {at: check/counter, fault: roll, to: 0}, {at: check/counter, fault: roll, by: -4}, {at: check/passed, fault: delay, for: 1ms..9ms, shape: pareto, mean: 2ms}]",
			Plan{0, []Fault{
				{At: "check/passed", Kind: hooks.Holds, Until: "check/counter", Min: 3 * time.Second, Max: 3 * time.Second, From: 2, Every: 3},
				{At: "check/counter", Kind: hooks.Rolls, To: &zero},
				{At: "check/counter", Kind: hooks.Rolls, By: -4},
				{At: "check/passed", Kind: hooks.Delays, Min: time.Millisecond, Max: 9 * time.Millisecond, Shape: Pareto, Mean: 2 * time.Millisecond},
			}}},
	}
}

func TestParse(t *testing.T) {
	for name, c := range good() {
		got, err := Parse("p", c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, c.want)
			continue
		}
		again, err := Parse("p", written(got))
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: written and read again: %+v, %v", name, again, err)
		}
	}
}

// written is a plan as Parse takes it.
func written(p Plan) string {
	var lines []string
	for _, f := range p.Faults {
		lines = append(lines, "- "+f.String())
	}
	return fmt.Sprintf("seed: %d\nplan:\n%s", p.Seed, strings.Join(lines, "\n"))
}

// bad are the texts that it refuses.
var bad = []struct{ text, want string }{
	{"", "p:1:1: found no fault, want at least one, such as {at: package/what, fault: delay, for: 1ms}"},
	{"[]", "p:1:1: found no fault, want at least one, such as {at: package/what, fault: delay, for: 1ms}"},
	{"seed: 1\n", "p:1:1: found no fault, want at least one, such as {at: package/what, fault: delay, for: 1ms}"},
	{"# a comment", "p:1:1: the file is empty"},
	{"seed:", "p:1:6: seed: found nothing, want a whole number, 0 or more, of at most 64 bits"},
	{"seed: x\n", `p:1:7: seed: found the text "x", want a whole number, 0 or more, of at most 64 bits`},
	{"{at: check/pased, fault: yield}", `p:1:6: at: found "check/pased", want a declared point, perhaps "check/passed"`},
	{"- at: check/passed\n  fault: yeild", `p:2:10: unknown fault "yeild"; did you mean "yield"?`},
	{"{at: check/passed, fault: drop}", `p:1:27: fault: found "drop", want what check/passed offers: delay, yield, hold`},
	{"{at: check/passed, fault: delay}", "p:1:27: for: found no duration, want how long the delay lasts at most"},
	{"{at: check/passed, fault: delay, for: 11s}", `p:1:39: for: found 11s, want at most 10s: a longer delay looks like a hang`},
	{"{at: check/passed, fault: delay, for: soon}", `p:1:39: for: found the text "soon", want a duration such as 200us, 1.5ms or 1m`},
	{"{at: check/passed, fault: delay, for: 2ms..1ms}", `p:1:39: for: found the range 2ms..1ms, want the smaller bound first: 1ms..2ms`},
	{"{at: check/passed, fault: yield, for: 1ms}", `p:1:39: for: found 1ms, want no duration with "yield": it belongs to a delay or a hold`},
	{"{at: check/passed, fault: yield, probabilty: 1}", `p:1:34: unknown key "probabilty" in a fault; did you mean "probability"?`},
	{"{at: check/passed, fault: yield, probability: 2}", `p:1:47: probability: found 2, want a number above 0 and at most 1`},
	{"{at: check/passed, fault: yield, count: 0}", `p:1:41: count: found 0, want a whole number from 1 to 2147483647`},
	{"{at: check/passed, fault: yield, task: }", `p:1:39: task: found nothing, want text`},
	{"{at: check/passed, fault: yield, shape: pareot}", `p:1:41: unknown shape "pareot"; did you mean "pareto"?`},
	{"{at: check/passed, at: check/passed}", `p:1:20: duplicate key "at" in a fault; the first is at line 1, column 2`},
	{"[{at: check/passed}, {fault: yield}]", `p:1:2: a fault lacks the key "fault"`},
	{"{fault: yield}", `p:1:1: a fault lacks the key "at"`},
	{"{at: check/passed, yield}", `p:1:20: unknown key "yield" in a fault; want one of at, fault, probability, count, task, from, every, for, shape, mean, until, by, to, ttl`},
	{"{at: check/counter, fault: roll, by: 0}", `p:1:38: by: found 0, which leaves the counter as it is; want a number such as -2`},
	{"{at: check/counter, fault: roll, to: -1}", `p:1:38: to: found -1, want a whole number, 0 or more, of at most 64 bits`},
	{"{at: check/passed, fault: yield, ttl: x}", `p:1:39: ttl: it is bad`},
	{strings.Repeat("- {at: check/passed, fault: yield}\n", 257), "p:257:3: found more than 256 faults, want at most 256"},
	{"- {at: [check/passed, check/notify], fault: yield}\n" + strings.Repeat("- {at: check/passed, fault: yield}\n", 255), "p:256:3: found more than 256 faults, want at most 256"},

	// What is no YAML, or is no plan.
	{"at: check/passed, fault: yield", "p:1:5: not YAML: mapping value is not allowed in this context; a fault on one line needs braces: {at: package/what, fault: yield}"},
	{"[{at: check/passed, fault: yield}; {at: check/passed, fault: yield}]", "p:1:34: not YAML: ',' or ']' must be specified"},
	{"{at: check/passed, fault: yield, task: 'x}", "p:1:40: not YAML: could not find end character of single-quoted text"},
	{"[{at: check/passed, fault: yield]", "p:1:33: not YAML: ',' or '}' must be specified"},
	{"{at: check/passed, fault: yield}}", "p:1:33: not YAML: value is not allowed in this context"},
	{"- at: check/passed\n\tfault: yield", `p:2:1: not YAML: found character '\t' that cannot start any token`},
	{`{at: "check/passed", 'fault': "yeild"}`, `p:1:31: unknown fault "yeild"; did you mean "yield"?`},
	{`{at: check/passed, fault: yield, task: "ü; ä", cuont: 1}`, `p:1:48: unknown key "cuont" in a fault; did you mean "count"?`},
	{`{at: check/passed, fault: yield, task: ""}`, "p:1:40: task: found an empty name, want the name of a task; without the key it is any"},
	{`{at: check/passed, fault: yield, count: "1"}`, `p:1:41: count: found the text "1", want a whole number from 1 to 2147483647`},
	{"# a comment; at: x\n\n{at: check/passed, # another: x\n  fault: yeild}", `p:4:10: unknown fault "yeild"; did you mean "yield"?`},
	{"{at: *a, fault: yield}", `p:1:6: unknown anchor "a"; there are none`},
	{"- &a {at: check/passed, fault: yield}\n- <<: *a\n  count: 0", "p:3:10: count: found 0, want a whole number from 1 to 2147483647"},
	{"{at: check/passed, fault: yield, task: !!str x}", "p:1:40: task: found the tag !!str, want text"},
	{"{at: [check/passed, check/pased], fault: yield}", `p:1:21: at: found "check/pased", want a declared point, perhaps "check/passed"`},
	{"{at: [check/notify, check/passed], fault: drop}", `p:1:21: fault: found "drop", want what check/passed offers: delay, yield, hold`},
	{"{at: [check/passed, check/passed], fault: yield}", "p:1:21: at: found check/passed twice"},
	{"plan:\n  - at: check/passed\n    fault: yeild", `p:3:12: unknown fault "yeild"; did you mean "yield"?`},
	{"plan: x", `p:1:7: plan: found the text "x", want a list`},
	{`{"seed": 1, "plam": []}`, `p:1:13: unknown key "plam" in a plan; did you mean "plan"?`},
	{"{seed: 1, at: check/passed, fault: yield}", `p:1:11: unknown key "at" in a plan; want one of seed, plan`},
	{"seed: 1\nseed: 2\nplan: []", `p:2:1: duplicate key "seed" in a plan; the first is at line 1, column 1`},
	{"at: check/passed", `p:1:1: a fault lacks the key "fault"`},
	{"yield", `p:1:1: found the text "yield", want a fault: a mapping with the keys at, fault, probability, count, task, from, every, for, shape, mean, until, by, to and ttl`},
	{"[[{at: check/passed, fault: yield}]]", `p:1:2: found a list, want a fault: a mapping with the keys at, fault, probability, count, task, from, every, for, shape, mean, until, by, to and ttl`},
	{"{at: check/passed, fault: yield, task: \xff}", "p:1:40: found the byte 0xff, want UTF-8 text"},
	{strings.Repeat("[", 1001), "p:1:1001: nested too deeply for a file of this kind"},
	{strings.Repeat("#", 256<<10+1), "p:1:1: the file has 262145 bytes, want at most 262144"},
}

func TestParseRefuses(t *testing.T) {
	for _, c := range bad {
		_, err := Parse("p", c.text, Word{"ttl", func(int, string) error { return errors.New("it is bad") }})
		var e *SyntaxError
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%.60q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestParseWords: what a caller adds is read at each point, and as it is written.
func TestParseWords(t *testing.T) {
	got := map[int]string{}
	p, err := Parse("p", `[{at: [check/passed, check/notify], fault: yield, ttl: 030s}, {at: check/passed, fault: yield}, {at: check/passed, fault: yield, ttl: "a ""; b"}]`,
		Word{"ttl", func(fault int, value string) error { got[fault] = value; return nil }})
	if err == nil {
		t.Errorf("%+v", p)
	}
	p, err = Parse("p", `[{at: [check/passed, check/notify], fault: yield, ttl: 030}, {at: check/passed, fault: yield}, {at: check/passed, fault: yield, ttl: "a; b"}]`,
		Word{"ttl", func(fault int, value string) error { got[fault] = value; return nil }})
	if want := map[int]string{0: "030", 1: "030", 3: "a; b"}; err != nil || len(p.Faults) != 4 || !maps.Equal(got, want) {
		t.Errorf("%d faults, %v, %v", len(p.Faults), got, err)
	}
}

// FuzzParse: whatever the text, it ends; an error is one line and is located in the text; what is
// taken is a plan that can be carried out, and, written and read again, the same.
func FuzzParse(f *testing.F) {
	f.Add("[{at: check/passed, fault: delay, for: 1ms}, {at: \"check/notify\", fault: drop}] # x\n- at: x")
	for _, text := range good() {
		f.Add(text.text)
	}
	for _, text := range bad {
		if len(text.text) < 1000 { // of larger ones it tries few
			f.Add(text.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("p", text)
		if err != nil {
			var e *SyntaxError
			if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r") || !inside(text, e.Line, e.Column) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if p.Check() != nil {
			t.Errorf("%q is taken, and yet: %v", text, p.Check())
		}
		if again, err := Parse("p", written(p)); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%q: written and read again: %s, %v", text, written(p), err)
		}
	})
}

// inside reports whether a place is in the text, or right behind one of its lines.
func inside(text string, line, column int) bool {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	return line >= 1 && line <= len(lines) && column >= 1 && column <= utf8.RuneCountInString(lines[line-1])+1
}
