package evidence

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/orders"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counted are counts with one depth that is useful, and one that is not.
func counted() Counts {
	c := Counts{Timers: 1200, PCT: []Depth{{Depth: 2, Executions: 100, Tasks: 4, Steps: 25, Within: 20}, {Depth: 3, Executions: 100, Tasks: 4, Steps: 250, Within: 20}}}
	c.AddCause("b", 1)
	c.AddCause("a", 2)
	c.AddCause("b", 2)
	c.AddCause("none", 0)
	return c
}

// Catches: words that claim more than was measured, and parts that are missing or said twice.
func TestWords(t *testing.T) {
	c := counted()
	seen := &orders.Summary{Distinct: 17, OneOf: 2, ChanceOfNew: &orders.Chance{Low: 0.001, High: 0.02}}
	full := Of(1234, 0, false, seen, &c)
	full.Orders, full.Racy = seen, "--clock racy"
	full.Uncontrolled = []Cause{{SystemCall, 2}}
	full.Bounds = Of(1, 0, false, nil, &Counts{PCT: c.PCT}).Bounds
	const (
		bugs = "; a bug of depth 2 within 20 steps, by the order of operations and with what system calls returned here, would have been found with a probability of at least 63 %" +
			"; for depth 3 or more PCT guarantees less than 1 %"
		outside = "; out of control: system call (2 times)"
	)
	withdrawn := *Of(1234, 0, false, seen, &c)
	forced := *full
	forced.Forced, forced.Timers = 2, 0
	early := *full
	early.Early = 1
	far := early
	far.Far = 3
	exhausted := *full
	exhausted.Exhausted = "dfs: these are all"
	hopeless := *full
	hopeless.Bounds = full.Bounds[1:]
	for name, x := range map[string]struct {
		e    *Evidence
		want string
	}{
		"full": {full, "1,234 executions of about 17 partial orders; the next one has a new order with 0.1 % to 2 %" + bugs +
			"; 1,200 timers were armed, and none fired while a task could continue: --clock racy explores that" + outside},
		"withdrawn": {&withdrawn, "1,234 executions of about 17 partial orders; no bound of PCT and no chance of a new order: they do not hold with this out of control: a, b; " +
			"1,200 timers were armed, and none fired while a task could continue; out of control: a (2 times), b (3 times)"},
		"early": {&early, "1,234 executions of about 17 partial orders; the next one has a new order with 0.1 % to 2 %" + bugs +
			"; in 1 execution a timer fired though a task could continue" + outside},
		"far": {&far, "1,234 executions of about 17 partial orders; the next one has a new order with 0.1 % to 2 %" + bugs +
			"; in 1 execution a timer fired though a task could continue, but not one more than 10 seconds ahead, half a second where other code slept and the test could continue, or 10 ms where the test arms it: --clock racy explores that" + outside},
		"forced": {&forced, "1,234 executions of about 17 partial orders; the next one has a new order with 0.1 % to 2 %" + bugs +
			"; in 2 executions a task or a timer that had waited for very long got a turn, whatever the strategy would have chosen" +
			"; no timer was armed" + outside},
		"exhausted": {&exhausted, "1,234 executions of about 17 partial orders; dfs: these are all; " +
			"1,200 timers were armed, and none fired while a task could continue: --clock racy explores that" + outside},
		"hopeless": {&hopeless, "1,234 executions of about 17 partial orders; the next one has a new order with 0.1 % to 2 %; PCT guarantees less than 1 % for bugs of depth 3 or more; " +
			"1,200 timers were armed, and none fired while a task could continue: --clock racy explores that" + outside},
		"without choices": {Of(1, 0, false, nil, &Counts{}), "1 execution"},
		"nothing": {&Evidence{Executions: 2, Bounds: []Bound{{Depth: 2, Within: 1, Probability: 0.995}}},
			"2 executions; a bug of depth 2 within 1 step, by the order of operations, would have been found with a probability of at least 99 %; no timer was armed; nothing was noticed to be out of control"},
	} {
		if got := x.e.String(); got != x.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, x.want)
		}
	}
}

// Catches: a bound, a chance or a proof that is printed where something was out of control that takes it away, or a
// cause of the runtime or the engine that nobody has judged.
func TestCauses(t *testing.T) {
	exhausted := "dpor" + All + "2 executions"
	for cause, withdraws := range map[string]bool{
		SystemCall: false, Woken: true, Pointless: true, Iteration: true, Collection: true, Background: true,
		"goroutine that is no task": true, "runtime/trace records nothing under control": true, "testing.AllocsPerRun returns 0 under control": true,
	} {
		c := Counts{PCT: []Depth{{Depth: 2, Executions: 100, Tasks: 4, Steps: 25, Within: 20}}}
		c.AddCause(cause, 1)
		e := Of(100, 0, false, &orders.Summary{Distinct: 17, OneOf: 1, ChanceOfNew: &orders.Chance{High: 0.1}}, &c)
		both := Merge(e, Of(100, 0, false, nil, &Counts{PCT: c.PCT}))
		text := e.String()
		if (e.Withdrawn() == "") == withdraws || (len(e.Bounds) == 0) != withdraws || (len(both.Bounds) == 0) != withdraws ||
			strings.Contains(text, "would have been found") == withdraws || strings.Contains(text, "the next one has a new order") == withdraws || (e.Orders.ChanceOfNew == nil) != withdraws {
			t.Errorf("%s: %s; %+v", cause, text, e)
		}
		if got := c.Complete(exhausted, true, false); strings.Contains(got, "not all there is") != withdraws || strings.HasPrefix(got, exhausted) == withdraws || !strings.Contains(got, "2 executions (") || !strings.Contains(got, "operation") {
			t.Errorf("%s: %s", cause, got)
		}
	}
	var none Counts
	if got := none.Complete(exhausted, true, false); got != exhausted+" (len of a channel is no operation)" {
		t.Error(got)
	}
	if got := none.Complete(exhausted, true, true); got != exhausted+" (len of a channel is no operation; the executions shared a process)" {
		t.Errorf("shared: %q", got)
	}
	if got := none.Complete(exhausted, false, false); !strings.Contains(got, "plain memory") {
		t.Error(got)
	}
}

// Catches: a chance of a new order under a strategy that makes no schedule twice, or words on its absence.
func TestSearched(t *testing.T) {
	seen := &orders.Summary{Distinct: 17, OneOf: 1, ChanceOfNew: &orders.Chance{Estimate: 1, Low: 0.9, High: 1}}
	outside := Counts{}
	outside.AddCause(Woken, 1)
	for _, x := range []struct {
		c    *Counts
		want string
	}{
		{&Counts{Timers: 1, Early: 3, Uncounted: 2}, "17 executions of 17 partial orders; in 3 executions a timer fired though a task could continue, after which 2 executions failed, which does not count (-v shows the first); nothing was noticed to be out of control"},
		{&Counts{Timers: 1, Early: 1}, "17 executions of 17 partial orders; in 1 execution a timer fired though a task could continue; nothing was noticed to be out of control"},
		{&outside, "17 executions of 17 partial orders; no timer was armed; out of control: wake from outside (once)"},
	} {
		e := Of(17, 0, true, seen, x.c)
		if got := e.String(); got != x.want || e.Orders.ChanceOfNew != nil {
			t.Errorf("%s; %+v, want\n%s", got, e.Orders, x.want)
		}
	}
	if e := Of(17, 0, true, nil, &Counts{}); e.Orders != nil || seen.ChanceOfNew == nil {
		t.Errorf("%+v, %+v", e, seen)
	}
}

// Catches: a bound of one setting that stands for all, and one that is not the lowest of them.
func TestBoundsOfSettings(t *testing.T) {
	c := Counts{PCT: []Depth{
		{Setting: 0, Depth: 2, Executions: 10, Tasks: 2, Steps: 10, Within: 10}, {Setting: 0, Depth: 3, Executions: 10, Tasks: 2, Steps: 10, Within: 10},
		{Setting: 1, Depth: 2, Executions: 5, Tasks: 3, Steps: 20, Within: 12},
	}}
	got := Of(25, 2, false, nil, &c).Bounds
	if len(got) != 1 || got[0].Depth != 2 || got[0].Executions != 5 || got[0].Tasks != 3 {
		t.Errorf("bounds of two settings: %+v, want that of setting 1 for depth 2", got)
	}
}

// Catches: counts that depend on the order in which parts are added, or on how they were divided.
func TestAdd(t *testing.T) {
	one, other := counted(), Counts{Timers: 3, Early: 2, Far: 1, Uncounted: 5, Forced: 4, PCT: []Depth{{Depth: 2, Executions: 1, Tasks: 9, Steps: 7, Within: 3}, {Setting: 1, Depth: 2, Executions: 1, Tasks: 1, Steps: 2, Within: 2}}}
	other.AddCause("c", 5)
	var ab, ba Counts
	for _, c := range []*Counts{&one, &other} {
		ab.Add(c)
	}
	for _, c := range []*Counts{&other, &one} {
		ba.Add(c)
	}
	if !reflect.DeepEqual(ab, ba) {
		t.Errorf("added in another order:\n%+v\n%+v", ab, ba)
	}
	want := Depth{Depth: 2, Executions: 101, Tasks: 9, Steps: 25, Within: 3}
	if !slices.Contains(ab.PCT, want) || ab.Timers != 1203 || ab.Early != 2 || ab.Far != 1 || ab.Uncounted != 5 || ab.Forced != 4 || len(ab.Uncontrolled) != 3 {
		t.Errorf("the sum is %+v", ab)
	}
	text, err := json.Marshal(ab)
	if err != nil {
		t.Fatal(err)
	}
	var read Counts
	if err := json.Unmarshal(text, &read); err != nil || !reflect.DeepEqual(read, ab) {
		t.Errorf("read again: %+v, %v", read, err)
	}
}

// Catches: a merged probability that is not that of both parts together.
func TestMerge(t *testing.T) {
	a := &Evidence{Bounds: []Bound{{Depth: 2, Executions: 10, Tasks: 2, Steps: 9, Within: 8, Probability: 0.5}}, Timers: 1, Uncontrolled: []Cause{{SystemCall, 1}}}
	b := &Evidence{Bounds: []Bound{{Depth: 2, Executions: 5, Tasks: 3, Steps: 7, Within: 6, Probability: 0.5}, {Depth: 3, Probability: 0.1}}, Early: 2, Far: 4, Uncounted: 3, Forced: 1, Uncontrolled: []Cause{{SystemCall, 2}}}
	got := Merge(a, b)
	want := &Evidence{Bounds: []Bound{{Depth: 2, Executions: 15, Tasks: 3, Steps: 9, Within: 6, Probability: 0.75}, {Depth: 3, Probability: 0.1}}, Timers: 1, Early: 2, Far: 4, Forced: 1, Uncontrolled: []Cause{{SystemCall, 3}}}
	if !reflect.DeepEqual(got.Bounds, want.Bounds) || got.Far != 4 || got.Uncounted != 3 || got.Forced != 1 || got.Timers != 1 || got.Early != 2 || !slices.Equal(got.Uncontrolled, want.Uncontrolled) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
