package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"go.uber.org/goleak"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"github.com/rouse-go/rouse/stress/subjects/pool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testSubjects are the subjects of the scenarios in tests.
var testSubjects = []subject.Subject{pool.Subject(), burst.Subject()}

func poolSubject() subject.Subject { return testSubjects[0] }

// sized is the scenario with other parameters: of its workload, or, if it has no such
// size, of its subject.
func sized(sc Scenario, pairs ...string) Scenario {
	sc.Sizes, sc.Setup = fixture.Sized(sc.Sizes, sc.Setup, pairs...)
	return sc
}

// TestSettings: executions go through the combinations of all lists, the last of which varies fastest.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		setup map[string]string
		want  []string // of one round
	}{
		{nil, []string{""}},
		{map[string]string{"jec-bits": "1"}, []string{""}},
		{map[string]string{"workers": "[1, 2, 3]", "rounds": "0"}, []string{"workers 1", "workers 2", "workers 3"}},
		{map[string]string{"workers": "[2]", "jec-bits": "[1, 32]"}, []string{"jec-bits 1, workers 2", "jec-bits 32, workers 2"}},
		{map[string]string{"workers": "[1, 2, 3]", "jec-bits": "[1, 32]"}, []string{
			"jec-bits 1, workers 1", "jec-bits 1, workers 2", "jec-bits 1, workers 3",
			"jec-bits 32, workers 1", "jec-bits 32, workers 2", "jec-bits 32, workers 3",
		}},
	} {
		sc := Scenario{Setup: c.setup}
		if n := sc.Settings(); n != len(c.want) {
			t.Fatalf("%v: %d settings, want %d", c.setup, n, len(c.want))
		}
		var got []string
		for n := range c.want {
			got = append(got, sc.Setting(n))
			if again := sc.Setting(n + 2*len(c.want)); again != sc.Setting(n) {
				t.Errorf("%v: %q two rounds after %q", c.setup, again, sc.Setting(n))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.setup, got, c.want)
		}
	}
}

// TestScenariosAreGroupedAndDescribed: each of the default campaign says itself what it aims at, and
// to which group it belongs.
func TestScenariosAreGroupedAndDescribed(t *testing.T) {
	var campaign struct {
		Scenarios []struct{ Name, Group, About string }
	}
	if err := yaml.Unmarshal(rouse.Scenarios, &campaign); err != nil {
		t.Fatal(err)
	}
	if len(campaign.Scenarios) < 100 {
		t.Fatalf("%d scenarios", len(campaign.Scenarios))
	}
	for _, s := range campaign.Scenarios {
		if !subject.Hyphened.MatchString(s.Group) {
			t.Errorf("%s belongs to the group %q", s.Name, s.Group)
		}
		if len(strings.Fields(s.About)) < 3 {
			t.Errorf("%s says of itself %q", s.Name, s.About)
		}
	}
}

// TestExplain: each fault in words, with what its options mean together.
func TestExplain(t *testing.T) {
	got, err := load("f.yaml", []byte(head+scenarioText("group: g", "why: Because.", "except: [{variant: [rfc5, tickle], may: leak, why: Chance.}]",
		`plan: [{at: test/notify, fault: drop, count: 1}, {at: test/passed, fault: delay, for: 1ms..2ms, probability: 0.5, from: 10, every: 5, count: 2, task: "worker *"},
        {at: test/passed, fault: delay, for: 1us..9us, shape: pareto, mean: 2us, every: 3}, {at: test/passed, fault: hold, until: test/notify, from: 2},
        {at: test/count, fault: roll}, {at: test/count, fault: roll, by: 4}, {at: test/count, fault: roll, to: 0}, {at: test/passed, fault: yield}]`)+
		scenarioText("name: b", "mode: control", "strategy: pct(3)", "expect: pass", "-plan", "-sizes", "pool: {workers: [1], rounds: 0}")), testCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "explained.txt", []byte(strings.Join(append(got[0].Explain(), got[1].Explain()...), "\n")+"\n"))
}
