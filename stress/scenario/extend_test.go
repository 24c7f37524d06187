package scenario

import (
	"errors"
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

const aCampaign = `version: 1
absent:
  - {variant: rfc5, points: test/notify, why: It has none.}
scenarios:
  - name: first
    group: g
    about: The first.
    pool: &small {workers: [1, 2], jec-bits: 3}
    workload: inject
    sizes: {jobs: 5, injectors: 2}
    plan: [{at: test/notify, fault: drop}]
    expect: lost-wakeup
  - name: second
    about: The second.
    mode: control
    strategy: pct(3)
    pool: {<<: *small, rounds: 0}
    workload: inject
    expect: pass
  - name: third
    about: The third.
    pool: *small
    workload: inject
    expect: pass
`

func TestExtend(t *testing.T) {
	campaign, err := load("c.yaml", []byte(aCampaign), testCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	first, second, third := campaign[0], campaign[1], campaign[2]
	for _, c := range []struct {
		name, text string
		want       func() []Scenario
	}{
		{"as it is", "version: 1\nextends: default\n", func() []Scenario { return campaign }},
		{"without one", "version: 1\nextends: default\nremove: second\n", func() []Scenario { return []Scenario{first, third} }},
		{"another instead", "version: 1\nextends: default\nscenarios:\n" + scenarioText("name: second", "expect: pass", "-plan"), func() []Scenario {
			return []Scenario{first, {Name: "second", About: "b", Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"}, Workload: "inject", Sizes: map[string]string{"jobs": "5"}, Expect: verdict.Pass}, third}
		}},
		{"changed", "version: 1\nextends: default\nremove: [third]\nscenarios:\n- {name: second, base: second, pool: {workers: [7]}, remove: strategy}\n", func() []Scenario {
			changed := sized(second, "workers", "[7]")
			changed.Strategy = ""
			return []Scenario{first, changed}
		}},
		{"one more, and one of that", "version: 1\nextends: default\nscenarios:\n- {name: more, base: first, sizes: {jobs: 9}, remove: [group]}\n- {name: most, base: more, sizes: {injectors: 1}, pool: {jec-bits: 1}}\n", nil},
		{"of the file alone", head + scenarioText() + "  - {name: b, base: a, sizes: {injectors: 3}}\n", func() []Scenario {
			a, err := load("f.yaml", []byte(head+scenarioText()), testCatalogue())
			if err != nil {
				t.Fatal(err)
			}
			b := sized(a[0], "injectors", "3")
			b.Name = "b"
			return []Scenario{a[0], b}
		}},
		{"what is absent", "version: 1\nextends: default\nabsent: [{variant: tickle, points: test/passed, why: x}]\nscenarios:\n" +
			scenarioText("plan: [{at: [test/notify, test/passed], fault: yield}]", "expect: pass"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := load("f.yaml", []byte(c.text), extendingCatalogue())
			if err != nil {
				t.Fatal(err)
			}
			switch c.name {
			case "one more, and one of that":
				more := sized(first, "jobs", "9")
				more.Name, more.Group = "more", ""
				most := sized(more, "injectors", "1", "jec-bits", "1")
				most.Name = "most"
				if want := append(campaign[:3:3], more, most); !reflect.DeepEqual(got, want) {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
			case "what is absent":
				if e := got[3].Except; len(e) != 2 || e[0].Why != "It has none." || e[1].Without[0] != "test/passed" {
					t.Errorf("%+v", e)
				}
			default:
				if want := c.want(); !reflect.DeepEqual(got, want) {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
			}
			schema := compileSchema(t, fileSchema(testCatalogue(), testPoints()))
			if doc, _ := decoded(c.text); schema.Validate(doc) != nil {
				t.Error("the schema refuses it:", schema.Validate(doc))
			}
		})
	}
}

// TestExtendBadInput: an error is at the user's line, also where it is about what the base has.
func TestExtendBadInput(t *testing.T) {
	const extends = "version: 1\nextends: default\n"
	for _, c := range []struct{ text, want string }{
		{"version: 1\nextends: defaults\n", `f.yaml:2:10: extends: found the text "defaults", want default: the campaign in the binary`},
		{"version: 1\nextends: [default]\n", "f.yaml:2:10: extends: found a list, want default: the campaign in the binary"},
		{"version: 1\nremove: first\nscenarios:\n" + scenarioText(), "f.yaml:2:1: remove: found it in the file without extends, want extends, or no remove"},
		{extends + "remove: frist\n", `f.yaml:3:9: remove: unknown scenario "frist"; did you mean "first"?`},
		{extends + "remove: [first, first]\n", "f.yaml:3:17: remove: found first twice"},
		{extends + "remove: [first, second, third]\n", "f.yaml:1:1: no scenario is left, want at least one"},
		{extends + "scenarios: []\n", "f.yaml:3:12: scenarios: the list is empty, want at least 1"},
		{extends + "scenarios:\n" + scenarioText("base: frist"), `f.yaml:11:11: base: unknown scenario "frist"; did you mean "first"?`},
		{head + scenarioText("base: first"), `f.yaml:10:11: base: unknown scenario "first"; there are none`},
		{head + scenarioText("remove: plan"), "f.yaml:10:5: remove: found it in a scenario without base, want base, or no remove"},
		{extends + "scenarios:\n  - {name: a, base: first, remove: [name]}\n", `f.yaml:4:37: remove: first has no key "name" that could be removed`},
		{extends + "scenarios:\n  - {name: a, base: first, remove: [mode]}\n", `f.yaml:4:37: remove: first has no key "mode" that could be removed`},
		{extends + "scenarios:\n  - {name: a, base: first, remove: workload}\n", `f.yaml:4:5: a scenario lacks the key "workload"`},
		{extends + "scenarios:\n  - {base: first}\n", `f.yaml:4:5: a scenario lacks the key "name"`},
		{extends + "scenarios:\n  - {name: a, base: first, workload: broadcast, pool: {workers: [9], thread-bits: 3}}\n",
			"f.yaml:4:66: workers: found 9, want a whole number from 1 to 7: 3 thread-bits count no further"},
		// What the base has, and does not fit:
		{extends + "scenarios:\n  - {name: a, base: first, workload: join, pool: {workers: [2]}}\n",
			`f.yaml:4:21: what comes from there does not fit: unknown key "jobs" in sizes; want one of depth, pause, repeat`},
		{extends + "scenarios:\n  - {name: a, base: first, remove: plan}\n",
			"f.yaml:4:21: what comes from there does not fit: expect: found lost-wakeup without a plan, want a fault that brings it about, or expect: pass"},
		{extends + "scenarios:\n  - {name: a, base: second, mode: native}\n",
			"f.yaml:4:21: what comes from there does not fit: strategy: found it in a native scenario, where nobody chooses; want mode: control, or no strategy"},
		{extends + "scenarios:\n  - {name: a, base: third, pool: {thread-bits: 1, jec-bits: 62}}\n",
			"f.yaml:4:21: what comes from there does not fit: workers: found 2, want a whole number from 1 to 1: 1 thread-bits count no further"},
		{head + scenarioText() + "  - {name: b, base: a, workload: join}\n",
			`f.yaml:10:21: what comes from there does not fit: unknown key "jobs" in sizes; want one of depth, pause, repeat`},
	} {
		_, err := load("f.yaml", []byte(c.text), extendingCatalogue())
		var input *InputError
		if !errors.As(err, &input) || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	if _, err := load("f.yaml", []byte(extends), testCatalogue()); err == nil || err.Error() != "f.yaml:2:10: extends: there is no campaign here that it could extend" {
		t.Error(err)
	}
}

// extendingCatalogue is testCatalogue with a campaign.
func extendingCatalogue() *catalogue {
	c := testCatalogue()
	c.subjects[0].Scenarios = []byte(aCampaign)
	return c
}
