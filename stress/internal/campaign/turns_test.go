package campaign

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// played is an entry that has had a turn. Of its executions that many, in a thousand, had a new order.
func played(name string, mode scenario.Mode, spent time.Duration, perThousand int) *entry {
	e := &entry{tally: newTally(&scenario.Scenario{Name: name, Mode: mode, Expect: verdict.Pass, Strategy: "random"}), turns: 1, spent: spent}
	e.Executions = 1000
	if mode == scenario.Control {
		seen := orders.Hashes{}
		for i := range 1000 {
			seen = append(seen, uint32(4*min(i, perThousand)))
		}
		e.Orders.Add(seen, 1000)
	}
	return e
}

// TestFirstRound: what is cheap and likely to fail comes first, what has had a turn not at all.
func TestFirstRound(t *testing.T) {
	var all []*entry
	for _, name := range []string{"native-control", "control", "native", "dfs", "first", "second", "had-one", "other", "third"} {
		e := played(name, scenario.Control, 0, 0)
		e.turns = 0
		switch name {
		case "native", "native-control", "other", "third":
			e.scenario.Mode = scenario.Native
		case "dfs":
			e.scenario.Strategy = "dfs(2)"
		case "had-one":
			e.turns = 1
		}
		if name == "control" || name == "native-control" {
			e.scenario.Expect = verdict.Leak
		}
		all = append(all, e)
	}
	var got []string
	for _, e := range firstRound(all) {
		got = append(got, e.scenario.Name)
	}
	if want := []string{"first", "second", "control", "native", "other", "native-control", "third", "dfs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// dealt gives that many turns of a second, and returns the seconds of each.
func dealt(turns int, all ...*entry) string {
	for range turns {
		mostPromising(all).spent += time.Second
	}
	var spent []float64
	for _, e := range all {
		spent = append(spent, math.Round(seconds(e)))
	}
	return fmt.Sprint(spent)
}

// TestMostPromising: how the time is divided after the first round.
func TestMostPromising(t *testing.T) {
	const control, native = scenario.Control, scenario.Native
	large := played("large", native, time.Second, 0)
	large.scenario.Share = 3
	blind := played("blind", native, time.Second, 0)
	blind.scenario.Expect = verdict.Leak
	for name, c := range map[string]struct {
		entries []*entry
		want    string
	}{
		// An entry's yield falls as it takes time without new orders: here none of them has more executions.
		"alike":           {[]*entry{played("a", control, time.Second, 500), played("b", control, time.Second, 500)}, "[501 501]"},
		"one is settled":  {[]*entry{played("a", control, time.Second, 0), played("b", control, time.Second, 900)}, "[51 951]"},
		"native by share": {[]*entry{played("a", native, time.Second, 0), large}, "[251 751]"},
		"native count half": {[]*entry{played("a", native, time.Second, 0), played("b", control, time.Second, 500)},
			"[334 668]"},
		"a control that is not detected": {[]*entry{blind, played("b", control, time.Second, 500)}, "[501 501]"},
	} {
		if got := dealt(1000, c.entries...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestSlices: a first turn is short, but for a control and for a search that has only one.
func TestSlices(t *testing.T) {
	at := time.Unix(0, 0)
	plain, control, search, last := played("plain", scenario.Control, 0, 0), played("control", scenario.Native, 0, 0), played("search", scenario.Control, 0, 0), played("last", scenario.Native, 0, 0)
	control.scenario.Expect, search.scenario.Strategy, search.scenario.Share = verdict.Leak, "dpor", 3
	all := []*entry{plain, control, search, last}
	c := &campaign{Options: Options{For: time.Minute, now: func() time.Time { return at }}, start: at, entries: all}
	want := map[*entry]time.Duration{plain: 0, control: mostSlice, search: 30 * time.Second, last: 0}
	for e, slice := range want {
		if got := c.sliceOf(e); got != slice {
			t.Errorf("the first turn of %s: %v, want %v", e.scenario.Name, got, slice)
		}
	}
	c.For = 3 * time.Second // the patience with a control counts whole shares, however little time is left
	at = at.Add(2 * time.Second)
	c.entries = append(slices.Clip(all), slices.Repeat([]*entry{last}, 24)...)
	if got := c.sliceOf(control); got != 3*time.Second {
		t.Errorf("the first turn of a control: %v", got)
	}
	c.For, c.entries, plain.turns = time.Minute, all, 2
	if got := c.sliceOf(plain); got != 58*time.Second/8 {
		t.Errorf("a turn of four scenarios: %v", got)
	}
	c.entries = append(slices.Clip(all), slices.Repeat([]*entry{last}, 1000)...)
	if got := c.sliceOf(plain); got != leastSlice {
		t.Errorf("a turn of many scenarios: %v", got)
	}
	c.entries = all[:1]
	if got := c.sliceOf(plain); got != 58*time.Second {
		t.Errorf("a turn of the only scenario: %v", got)
	}
}

// TestControlsAlternate: a later turn of another scenario follows each native control while there is time for
// the rest of the first round.
func TestControlsAlternate(t *testing.T) {
	at := time.Unix(0, 0)
	c := &campaign{Options: Options{For: 20 * nativeTime, now: func() time.Time { return at }}, start: at}
	for _, name := range []string{"control-a", "control-b", "control-c", "control-d", "plain"} {
		e := played(name, scenario.Control, 0, 500)
		if e.turns = 0; name != "plain" {
			e.scenario.Expect, e.scenario.Mode = verdict.Leak, scenario.Native
		}
		c.entries = append(c.entries, e)
	}
	var got []string
	for range 9 {
		e := c.next()
		got = append(got, strings.TrimPrefix(e.scenario.Name, "control-"))
		e.turns++
		e.spent += time.Second
		if isControl(e) {
			e.done = &report.ScenarioReport{}
		}
		if len(got) == 5 { // then there is no time to wait
			at = at.Add(39 * nativeTime / 2)
		}
	}
	if want := []string{"plain", "a", "plain", "b", "plain", "c", "d", "plain", "plain"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	at = at.Add(time.Hour)
	if e := c.next(); e != nil {
		t.Errorf("when the time is up, %s is next", e.scenario.Name)
	}
}

// TestOverdue: a control, and a scenario with faults that have not fired, is decided when it has had its time.
func TestOverdue(t *testing.T) {
	c := &campaign{Options: Options{For: 100 * time.Second}}
	passes, silent, control := played("passes", scenario.Native, 0, 0), played("silent", scenario.Native, 0, 0), played("control", scenario.Native, 0, 0)
	silent.scenario.Plan, control.scenario.Expect = drop, verdict.Leak
	silent.Faults = run.PlannedFaults(silent.scenario)
	c.entries = append([]*entry{passes, silent, control}, slices.Repeat([]*entry{passes}, 97)...)
	for _, spent := range []time.Duration{999 * time.Millisecond, time.Second, 29 * time.Second, 30 * time.Second} {
		passes.spent, silent.spent, control.spent = spent, spent, spent
		if c.overdue(passes) || c.overdue(silent) != (spent >= time.Second) || c.overdue(control) != (spent >= 30*time.Second) {
			t.Errorf("after %v: %t, %t, %t", spent, c.overdue(passes), c.overdue(silent), c.overdue(control))
		}
	}
}
