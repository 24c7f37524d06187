package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/scenario"
)

// Orders counts the partial orders of the executions of a controlled scenario. Two executions have
// the same order if they differ only in operations that commute.
type Orders struct {
	Distinct int `json:"distinct"`
	// Last is of how many executions New counts the orders that were new: the last 10,000 or so.
	Last int `json:"last"`
	New  int `json:"new"`
	// OneOf is 1 if the numbers are exact. Otherwise they are estimates, from a sample of one of so
	// many orders.
	OneOf int `json:"one_of"`
}

// newOrders is how many of the last executions had a new order; "" if they were not counted.
func (s *ScenarioReport) newOrders() string {
	o := s.Orders
	if o == nil {
		return ""
	}
	text := thousands(uint64(o.New))
	switch {
	case o.OneOf > 1 && o.New == 0:
		text = fmt.Sprintf("none of a sample (1 of %d)", o.OneOf)
	case o.OneOf > 1:
		text = "about " + text
	}
	return text + " in the last " + thousands(uint64(o.Last))
}

// rate is the part of the last executions that had a new order.
func (o *Orders) rate() float64 { return float64(o.New) / float64(max(o.Last, 1)) }

// mostBringing is how many of the scenarios that still bring new orders are named.
const mostBringing = 3

// newOrders is a sentence on the scenarios that passed and still bring new orders; "" if orders were
// not counted.
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
	slices.SortStableFunc(bring, func(a, b *ScenarioReport) int { return cmp.Compare(b.Orders.rate(), a.Orders.rate()) })
	text := fmt.Sprintf("%d of %s without a failure still %s new orders", len(bring), prose.Plural(len(counted), "controlled scenario"), map[bool]string{true: "brings", false: "bring"}[len(bring) == 1])
	var named []string
	for _, s := range bring[:min(len(bring), mostBringing)] {
		named = append(named, fmt.Sprintf("%s (%s executions)", scenario.Title(s.Name, s.Variant), s.newOrders()))
	}
	if len(named) > 0 {
		text += ", most of all " + strings.Join(named, ", ")
	}
	return text
}
