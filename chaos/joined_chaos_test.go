//go:build chaos

package chaos_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// A body with a plan runs alone, and Explore inside a body fails the test.
func TestJoinedTurns(t *testing.T) {
	defer chaos.UninstallJoined()
	for _, plan := range []chaos.Plan{{}, {Faults: []chaos.Fault{{At: "chaos-test/gap", Kind: hooks.Yields}}}} {
		s, alone := new(stressed), len(plan.Faults) > 0
		exploreStressed(t, s, func(*chaos.C) {
			if !slices.Equal(s.turns, []bool{alone}) {
				t.Errorf("turns %v", s.turns)
			}
		}, chaos.WithPlan(plan))
		if !slices.Equal(s.turns, []bool{alone, alone}) || s.Failed() {
			t.Errorf("turns %v, %s", s.turns, s.Log)
		}
	}
	s := new(stressed)
	exploreStressed(t, s, func(*chaos.C) { chaos.Explore(s, func(*chaos.C) { t.Error("the inner body runs") }) })
	if !s.Failed() || !strings.Contains(s.Log, "chaos: Explore: inside an execution") {
		t.Errorf("failed: %v, %s", s.Failed(), s.Log)
	}
}

// Under stress test faults are drawn by its engine, at the points of the plan only.
func TestJoinedFaults(t *testing.T) {
	defer chaos.UninstallJoined()
	s := new(stressed)
	var got []string
	exploreStressed(t, s, func(c *chaos.C) {
		hooks.At(otherGap) // not in the plan
		got = append(got, fmt.Sprint(hooks.Notify(pointGap)))
		hooks.At(pointGap)
		got = append(got, fmt.Sprint(hooks.Fail(pointGap), hooks.Value(pointGap, 6)))
	}, chaos.WithPlan(chaos.Plan{Faults: []chaos.Fault{{At: "chaos-test/gap", Kind: hooks.Drops}}}))
	if strings.Join(got, " ") != "0 true 7" || len(s.visits) != 4 || s.Failed() {
		t.Errorf("%q by the visits %q; %s", got, s.visits, s.Log)
	}
	if !strings.Contains(s.armed, `"At":"chaos-test/gap"`) {
		t.Errorf("armed with %s", s.armed)
	}
}

var otherGap = hooks.Declare("chaos-test/other-gap", "for these tests", hooks.Disturbs)

// A hold ends when another task passes its point, and long before its limit.
func TestJoinedHold(t *testing.T) {
	defer chaos.UninstallJoined()
	s, order := new(stressed), make(chan string, 2)
	s.until = "chaos-test/other-gap"
	held := make(chan bool)
	exploreStressed(t, s, func(c *chaos.C) {
		c.Go(func() {
			close(held)
			hooks.At(pointGap)
			order <- "held"
		})
		<-held
		for !chaos.JoinedHolds() {
			hooks.Gosched()
		}
		order <- "passing"
		hooks.At(otherGap)
	}, chaos.WithPlan(chaos.Plan{Faults: []chaos.Fault{{At: "chaos-test/gap", Kind: hooks.Holds, Until: "chaos-test/other-gap"}}}))
	if s.Failed() || len(order) != 2 {
		t.Fatalf("failed: %v: %s, %d", s.Failed(), s.Log, len(order))
	}
	if first := <-order; first != "passing" {
		t.Errorf("%s was first", first)
	}
}
