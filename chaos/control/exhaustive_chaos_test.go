//go:build chaos

package control

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// exhaust explores all schedules, unless they are more than most, and returns what
// they came to.
func exhaust(t *testing.T, s strategy.Strategy, most int, subject func(say func(string))) (all map[string]int, executions int, complete bool) {
	t.Helper()
	e := start(t, Options{Switch: Fastest, Strategy: s, MaxSpins: 3})
	defer e.Close()
	all = make(map[string]int)
	for ; executions < most; executions++ {
		var said []string
		r, more := e.Run(1, func() { subject(func(s string) { said = append(said, s) }) })
		if !more {
			return all, executions, true
		}
		what := strings.Join(said, " ")
		if r.Verdict != verdict.Pass {
			what = string(r.Verdict)
		}
		all[what]++
	}
	return all, executions, false
}

// Every model, exhaustively: what depth-first search finds is what the model's test
// expects, and DPOR finds the same in no more executions.
func TestExhaustively(t *testing.T) {
	if racing.Detector {
		t.Skip("the subjects say what they say unsynchronised")
	}
	checked := 0
	for _, m := range slices.Concat(syncModels, channelModels, contextModels) {
		t.Run(m.name, func(t *testing.T) {
			if strings.Contains(m.name, "the clock") {
				t.Skip("it takes a thousand rounds")
			}
			found, n, complete := exhaust(t, strategy.DFS(-1), 3000, m.subject)
			if !complete {
				t.Skipf("more than %d schedules", n)
			}
			want(t, found, m.want...)
			reduced, k, complete := exhaust(t, strategy.DPOR(), n+1, m.subject)
			if !complete {
				t.Errorf("DPOR takes more than the %d executions of DFS", n)
			}
			if a, b := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(reduced)); !slices.Equal(a, b) {
				t.Errorf("DFS finds %q in %d executions, DPOR %q in %d", a, n, b, k)
			}
			checked++
		})
	}
	if checked < 30 {
		t.Errorf("only %d models are small enough", checked)
	}
}
