package scenario

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/golden"
)

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
