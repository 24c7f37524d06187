//go:build chaos

package scenario

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/stress/internal/fixture"
)

const clockFile = `version: 1
scenarios:
  - {name: a, about: b, mode: control, clock: racy, pool: {workers: [1]}, workload: join, expect: pass}
`

func TestClockRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(clockFile, "clock: racy", "clock: rcay", 1):                `unknown clock "rcay"; did you mean "racy"?`,
		strings.Replace(clockFile, "mode: control, clock: racy", "clock: racy", 1): "clock: found it in a native scenario",
	} {
		if _, err := Load("clock.yaml", []byte(text), testSubjects...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

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

// TestPoolAmongOthers: its scenarios are known by their key pool, and so are recordings.
func TestPoolAmongOthers(t *testing.T) {
	const file = `version: 1
scenarios:
  - {name: a, about: For this test., pool: {workers: [1]}, workload: inject, expect: pass}
  - {name: b, about: For this test., workload: add, expect: pass}
`
	scenarios, err := Load("f.yaml", []byte(file), fixture.Numbers().Subject(), poolSubject())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Subject != "pool" || scenarios[1].Subject != "number" {
		t.Errorf("of %q and %q", scenarios[0].Subject, scenarios[1].Subject)
	}
}

const planHead = head + "  - name: a\n    about: b\n    group: c\n    expect: pass\n    workload: inject\n    pool: {workers: [2]}\n    plan:\n"

// A plan means the same to whoever arms it in a service and in a scenario, and what is wrong
// with it is said in the same words, where it stands.
func TestPlanLanguage(t *testing.T) {
	const at = "at: sleep/registered, "
	for text, valid := range map[string]bool{
		at + "fault: yield":                                               true,
		`at: "sleep/registered", "fault": 'yield'`:                        true,
		at + "fault: yield, probability: 0.25":                            true,
		at + "fault: yield, probability: 1":                               true,
		at + "fault: yield, probability: 0":                               false,
		at + "fault: yield, probability: 1.5":                             false,
		at + "fault: yield, probability: many":                            false,
		at + "fault: yield, count: 3":                                     true,
		at + "fault: yield, count: 0x10":                                  true,
		at + "fault: yield, count: 0":                                     false,
		at + "fault: yield, count: 2147483648":                            false,
		at + "fault: yield, from: 2, every: 3":                            true,
		at + "fault: yield, from: 0":                                      false,
		at + "fault: yield, every: -1":                                    false,
		at + `fault: yield, task: "worker *"`:                             true,
		at + `fault: yield, task: ""`:                                     false,
		at + "fault: yield, for: 1ms":                                     false,
		at + "fault: delay":                                               false,
		at + "fault: delay, for: 1ms":                                     true,
		at + "fault: delay, for: 50us..2ms":                               true,
		at + "fault: delay, for: 0s..2ms":                                 true,
		at + "fault: delay, for: 0s":                                      false,
		at + "fault: delay, for: 2ms..1ms":                                false,
		at + "fault: delay, for: 10s":                                     true,
		at + "fault: delay, for: 11s":                                     false,
		at + "fault: delay, for: long":                                    false,
		at + "fault: delay, for: -1ms":                                    false,
		at + "fault: delay, for: 1ms..1s, shape: pareto, mean: 20ms":      true,
		at + "fault: delay, for: 1s, shape: square":                       false,
		at + "fault: delay, for: 1ms..1s, mean: 2ms":                      false,
		at + "fault: delay, for: 1s, mean: none":                          false,
		at + "fault: hold, until: sleep/fenced":                           true,
		at + "fault: hold, until: sleep/registered":                       false,
		at + "fault: hold":                                                false,
		at + "fault: drop":                                                false,
		at + "fault: yeild":                                               false,
		at + "fault: yield, by: 1":                                        false,
		"at: sleep/jec-check, fault: roll, by: -2":                        true,
		"at: sleep/jec-check, fault: roll, by: 0":                         false,
		"at: sleep/jec-check, fault: roll, by: 1.5":                       false,
		"at: sleep/jec-check, fault: roll, to: 0x10":                      true,
		"at: sleep/jec-check, fault: roll, to: -1":                        false,
		"at: sleep/jec-check, fault: roll, by: 1e3":                       false,
		"at: sleep/registerd, fault: yield":                               false,
		"fault: yield":                                                    false,
		"at: [sleep/registered, sleep/fenced], fault: yield":              true,
		"at: [sleep/registered, sleep/registerd], fault: yield":           false,
		"at: [sleep/registered, sleep/registered], fault: yield":          false,
		"at: [], fault: yield":                                            false,
		at + `fault: yield, task: "a\"b\\ü"`:                              true,
		at + "fault: yield, task: 7":                                      false,
		at + "fault: yield, probability: 1e-3":                            true,
		at + "fault: yield, task: *a":                                     false,
		at + "fault: yield, fault: yield":                                 false,
		at + "fault: yield, cuont: 1":                                     false,
		at + "fault: delay, for: 1ms..1s, shape: exponential, mean: 20ms": true,
	} {
		const before = "      - "
		text = "{" + text + "}"
		parsed, err := plan.Parse("f.yaml", text)
		loaded, loadErr := Load("f.yaml", []byte(planHead+before+text+"\n"), testSubjects...)
		switch {
		case (err == nil) != valid || (loadErr == nil) != valid:
			t.Errorf("%s: valid: %t; in a service %v, in a scenario %v", text, valid, err, loadErr)
		case valid && !reflect.DeepEqual(parsed.Faults, loaded[0].Plan):
			t.Errorf("%s: in a service %+v, in a scenario %+v", text, parsed.Faults, loaded[0].Plan)
		case valid:
		default:
			in, out := err.(*plan.SyntaxError), loadErr.(*InputError)
			said, _, _ := strings.Cut(in.Problem, "; the first is at")
			if out.Line != 10 || out.Column != in.Column+len(before) || !strings.HasPrefix(out.Problem, said) {
				t.Errorf("%s: in a service %v, in a scenario %v", text, err, loadErr)
			}
		}
	}
}

// FuzzPlanLanguage: a list of faults that a scenario may have is a plan, and the same one; and
// whatever is a plan is, written in full, what a scenario may have.
func FuzzPlanLanguage(f *testing.F) {
	for _, text := range []string{
		"- {at: sleep/registered, fault: yield}\n- at: [sleep/fenced, sleep/jec-check]\n  fault: delay\n  for: 1ms..1s # x\n  shape: pareto\n  mean: 20ms",
		"[{\"at\": \"sleep/jec-check\", 'fault': roll, \"to\": 0x10}, {at: sleep/fenced, fault: hold, until: sleep/registered, task: \"a, *\\u00fc\"}]",
		"- &a {at: sleep/registered, fault: delay, for: 1ms, probability: 1e-2}\n- {<<: *a, from: 2, every: 3, count: 1}\n- *a",
		"- at: sleep/registered\n  fault: yield\n  task: it's, \"so\n    to\" speak",
		"[{at: sleep/registered, fault: yield}, {at: sleep/jec-check, fault: roll, by: -4}]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "\r", " ") // a line break of YAML, after which nothing is indented here
		indented := planHead + "      " + strings.ReplaceAll(text, "\n", "\n      ") + "\n"
		p, err := plan.Parse("p", text)
		loaded, loadErr := Load("f.yaml", []byte(indented), testSubjects...)
		if loadErr == nil && len(loaded[0].Plan) > 0 && (err != nil || !reflect.DeepEqual(p.Faults, loaded[0].Plan)) {
			t.Errorf("%q: in a service %+v, %v, in a scenario %+v", text, p.Faults, err, loaded[0].Plan)
		}
		if err != nil {
			return
		}
		full := planHead
		for _, fault := range p.Faults {
			full += "      - " + fault.String() + "\n"
		}
		if loaded, err := Load("f.yaml", []byte(full), testSubjects...); err != nil || !reflect.DeepEqual(p.Faults, loaded[0].Plan) {
			t.Errorf("%q: %+v; in a scenario %v\n%s", text, p.Faults, err, full)
		}
	})
}
