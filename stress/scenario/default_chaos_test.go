//go:build chaos

package scenario

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// TestDefaultCampaign: the scenarios in the binary are valid.
func TestDefaultCampaign(t *testing.T) {
	scenarios, err := Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	controls := 0
	kinds := map[Mode]hooks.FaultKind{}
	var narrowJEC, narrowThreads, preset bool
	for _, sc := range scenarios {
		for _, f := range sc.Plan {
			kinds[sc.Mode] |= f.Kind
		}
		narrowJEC = narrowJEC || slices.Contains(elements(sc.Setup["jec-bits"]), "1")
		narrowThreads = narrowThreads || sc.Setup["thread-bits"] == "2"
		preset = preset || sc.Setup["jec-bits"] == "" && sc.Setup["initial-jec"] == "max"
		if sc.Expect != verdict.Pass {
			controls++
		}
	}
	if len(scenarios) < 16 || controls < 3 {
		t.Errorf("%d scenarios, %d controls", len(scenarios), controls)
	}
	// A fault that never fires is a verdict of its own: never-reached.
	for _, kind := range chaos.Kinds() {
		for _, mode := range []Mode{Native, Control} {
			if kinds[mode]&kind == 0 {
				t.Errorf("no scenario with mode %s has the fault %s", mode, kind)
			}
		}
	}
	if !narrowJEC || !narrowThreads || !preset {
		t.Errorf("a JEC of one bit: %v; thread counters of two: %v; the JEC at its maximum: %v", narrowJEC, narrowThreads, preset)
	}
}

// TestBadPlan: the points are those of this binary.
func TestBadPlan(t *testing.T) {
	for plan, want := range map[string]string{
		"plan: [{at: sleep/registerd, fault: delay, for: 1ms}]":                            `f.yaml:8:17: at: found "sleep/registerd", want a declared point, perhaps "sleep/registered"`,
		"plan: [{at: sleep/registered, fault: drop}]":                                      `f.yaml:8:42: fault: found "drop", want what sleep/registered offers: delay, yield, hold`,
		"plan: [{at: sleep/registered, fault: delay}]":                                     `f.yaml:8:42: for: found no duration, want how long the delay lasts at most`,
		"plan: [{at: sleep/registered, fault: yield, for: 1ms}]":                           `f.yaml:8:54: for: found 1ms, want no duration with "yield": it belongs to a delay or a hold`,
		"plan: [{at: sleep/registered, fault: hold}]":                                      `f.yaml:8:42: until: found no point, want the point that ends the hold`,
		"plan: [{at: sleep/registered, fault: hold, until: sleep/fencd}]":                  `f.yaml:8:55: until: found "sleep/fencd", want a declared point, perhaps "sleep/fenced"`,
		"plan: [{at: sleep/registered, fault: hold, until: sleep/registered}]":             `f.yaml:8:55: until: found "sleep/registered", want another point than that of the hold, or all would be held there`,
		"plan: [{at: sleep/registered, fault: hold, until: sleep/fenced, for: 1ms..2ms}]":  `f.yaml:8:74: for: found 1ms..2ms, want one duration: how long the hold lasts at most`,
		"plan: [{at: sleep/registered, fault: delay, for: 1ms, until: sleep/fenced}]":      `f.yaml:8:66: until: found "sleep/fenced", want no point with "delay": it belongs to a hold`,
		"plan: [{at: sleep/registered, fault: delay, for: 1ms, shape: pareto, mean: 2ms}]": `f.yaml:8:80: mean: found 2ms, want more than 1ms, at most 1ms`,
		"plan: [{at: sleep/registered, fault: yield, shape: pareto, mean: 2ms}]":           `f.yaml:8:56: shape: found pareto, want none with "yield": it belongs to a delay`,
		"plan: [{at: sleep/wake-notify, fault: drop, by: 1}]":                              `f.yaml:8:53: by: found 1, want nothing with "drop": it belongs to a roll`,
		"plan: [{at: sleep/wake-notify, fault: drop, to: 1}]":                              `f.yaml:8:53: to: found 1, want nothing with "drop": it belongs to a roll`,
		"plan: [{at: sleep/jec-check, fault: roll, by: 1, to: 1}]":                         `f.yaml:8:51: by: found 1 together with to: 1, want one of the two`,
	} {
		_, err := Load("f.yaml", []byte(head+scenarioText(plan)), testSubjects...)
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", plan, err, want)
		}
	}
}

func BenchmarkDefault(b *testing.B) {
	for range b.N {
		if _, err := Default(testSubjects...); err != nil {
			b.Fatal(err)
		}
	}
}
