//go:build chaos

package stress

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/plan"
)

// A plan means the same to whoever arms it in a service and in a scenario. What only a file has (a list of points)
// the other reader refuses.
func TestPlanLanguage(t *testing.T) {
	const at = "at: sleep/registered, "
	const scenario = head + "  - name: a\n    about: b\n    group: c\n    expect: pass\n    workload: inject\n    pool: {workers: [2]}\n    plan:\n"
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
		at + "fault: yield, fault: yield":                                 false,
		at + "fault: yield, cuont: 1":                                     false,
		at + "fault: delay, for: 1ms..1s, shape: exponential, mean: 20ms": true,
	} {
		parsed, err := plan.Parse("plan", text)
		loaded, loadErr := Load("f.yaml", []byte(scenario+"      - {"+text+"}\n"))
		switch {
		case (err == nil) != valid || (loadErr == nil) != valid:
			t.Errorf("%s: valid: %t; in a service %v, in a scenario %v", text, valid, err, loadErr)
		case !valid && !strings.HasPrefix(loadErr.Error(), "f.yaml:10:"):
			t.Errorf("%s: %v, which is about something else", text, loadErr)
		case valid && !reflect.DeepEqual(parsed.Faults, loaded[0].Plan):
			t.Errorf("%s: in a service %+v, in a scenario %+v", text, parsed.Faults, loaded[0].Plan)
		}
	}
	if _, err := plan.Parse("plan", "at: [sleep/registered, sleep/fenced], fault: yield"); err == nil {
		t.Error("a list of points is read in a service")
	}
}
