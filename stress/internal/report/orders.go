package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// newOrders describes how many of the last executions had a new order, or returns "" if orders were not counted.
func (s *ScenarioReport) newOrders() string {
	o := s.Orders
	if o == nil {
		return ""
	}
	text := evidence.Thousands(uint64(o.New))
	switch {
	case o.OneOf > 1 && o.New == 0:
		text = fmt.Sprintf("none of a sample (1 of %d)", o.OneOf)
	case o.OneOf > 1:
		text = "about " + text
	}
	return text + " in the last " + evidence.Thousands(uint64(o.Last))
}

// newRate returns the share of the last executions that had a new order.
func newRate(o *orders.Summary) float64 { return float64(o.New) / float64(max(o.Last, 1)) }

// mostBringing is how many of the scenarios with new orders are named.
const mostBringing = 3

// newOrders returns a sentence on the scenarios that passed and still bring new orders, or "" if orders
// were not counted.
func (r *Report) newOrders() string {
	var counted, bring []*ScenarioReport
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		if s.Orders == nil || s.Failure != nil {
			continue
		}
		counted = append(counted, s)
		if s.Orders.New > 0 {
			bring = append(bring, s)
		}
	}
	if len(counted) == 0 {
		return ""
	}
	slices.SortStableFunc(bring, func(a, b *ScenarioReport) int { return cmp.Compare(newRate(b.Orders), newRate(a.Orders)) })
	text := fmt.Sprintf("%d of %s without a failure still %s new orders", len(bring), prose.Plural(len(counted), "controlled scenario"), map[bool]string{true: "brings", false: "bring"}[len(bring) == 1])
	var named []string
	for _, s := range bring[:min(len(bring), mostBringing)] {
		named = append(named, fmt.Sprintf("%s (%s executions)", s.Title(), s.newOrders()))
	}
	if len(named) > 0 {
		text += ", most of all " + strings.Join(named, ", ")
	}
	return text
}

// distinct describes how many partial orders the executions of a test had and, if it has passed, the bounds of the
// probability that one more execution has a new order.
func (t *TestReport) distinct() string {
	text := evidence.Thousands(uint64(t.Orders.Distinct)) + " distinct"
	if t.Orders.OneOf > 1 {
		text = "about " + text
	}
	c := t.Orders.ChanceOfNew
	if t.Status != TestPassed || t.Exhausted != "" || c == nil {
		return text
	}
	return text + " (next new: " + evidence.Chance(c.Low) + " to " + evidence.Chance(c.High) + ")"
}

// likely is the least lower bound of the probability for which a new order is worth a sentence.
const likely = 0.01

// furtherOrders returns a sentence on the tests that passed and are likely to have new orders in further
// executions, or "".
func (r *SuiteReport) furtherOrders() string {
	passed, bring, most := 0, 0, (*TestReport)(nil)
	for i := range r.Tests {
		t := &r.Tests[i]
		if t.Status != TestPassed {
			continue
		}
		passed++
		if t.Exhausted != "" || t.Orders == nil || t.Orders.ChanceOfNew == nil {
			continue
		}
		if t.Orders.ChanceOfNew.Low < likely {
			continue
		}
		bring++
		if most == nil || t.Orders.ChanceOfNew.Low > most.Orders.ChanceOfNew.Low {
			most = t
		}
	}
	if bring == 0 || passed == 1 { // its own line has the figures
		return ""
	}
	c := most.Orders.ChanceOfNew
	text := fmt.Sprintf("%d of %s that passed would have new orders in further executions, most of all %s (the next one with %s to %s)",
		bring, prose.Plural(passed, "test"), most.Title(), evidence.Chance(c.Low), evidence.Chance(c.High))
	if r.Suite.AtMost {
		text += "; --for 10m has more of them"
	}
	return text
}

// evidence prints what passing executions prove, except for the data in the line of figures.
func (c *Console) evidence(e *evidence.Evidence) {
	if e == nil {
		return
	}
	if found := e.Found(); len(found) > 0 {
		c.line(furtherDown, below+"%s", strings.Join(found, "; "))
	}
}

// shown returns, for each controlled scenario that passed, its title and its evidence in words.
func shown(r *Report) (all [][2]string) {
	for i := range r.Scenarios {
		if s := &r.Scenarios[i]; s.Evidence != nil {
			all = append(all, [2]string{s.Title(), s.Evidence.String()})
		}
	}
	return all
}
