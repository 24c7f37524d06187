package campaign

import (
	"slices"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
)

const (
	// mostOrders is how many orders of a scenario are kept, in 4 bytes each. While no more were seen,
	// all counts are exact. After that they are estimates from a sample of at least half as many, with
	// a standard error of about 2 % for the number of orders, and of 1/sqrt(n) for a count of which the
	// sample has n.
	mostOrders = 4096
	// lastExecutions are those over which new orders are counted, in spans of spanExecutions.
	lastExecutions, spanExecutions = 10_000, 1_000
)

// orders counts the partial orders of a scenario's executions, in bounded memory. It samples them by
// their hash (Wegman's adaptive sampling), so that how often each of the sample was seen is exact.
type orders struct {
	// Level is how many low bits of a hash must be 0 for the order to be in the sample.
	Level int `json:",omitempty"`
	// Kept are ascending. The lowest bit is 1 if the order was seen more than once.
	Kept  run.Orders `json:",omitempty"`
	Spans []span     `json:",omitempty"` // the oldest first
}

// A span is of executions in a row, and says how many orders were new in them.
type span struct{ Executions, New int }

// add adds the orders of so many executions.
func (o *orders) add(seen run.Orders, executions int) {
	last := len(o.Spans) - 1
	if last < 0 || o.Spans[last].Executions >= spanExecutions {
		o.Spans = append(o.Spans, span{})
		last++
	}
	for _, hash := range seen {
		o.Spans[last].New += o.addOne(hash)
	}
	o.Spans[last].Executions += executions
	for n, _ := o.last(); n-o.Spans[0].Executions >= lastExecutions; n, _ = o.last() {
		o.Spans = o.Spans[1:]
	}
}

// addOne returns for how many new orders this one stands.
func (o *orders) addOne(hash uint32) int {
	if !run.Sampled(hash, o.Level) {
		return 0
	}
	hash &^= 1
	i, _ := slices.BinarySearch(o.Kept, hash)
	if i < len(o.Kept) && o.Kept[i]&^1 == hash {
		o.Kept[i] |= 1
		return 0
	}
	o.Kept = slices.Insert(o.Kept, i, hash)
	stands := o.stands()
	for len(o.Kept) > mostOrders {
		o.Level++
		o.Kept = slices.DeleteFunc(o.Kept, func(kept uint32) bool { return !run.Sampled(kept, o.Level) })
	}
	return stands
}

// stands is for how many orders one of the sample stands.
func (o *orders) stands() int { return 1 << o.Level }

// last is how many executions the spans have, and how many new orders.
func (o *orders) last() (executions, found int) {
	for _, s := range o.Spans {
		executions, found = executions+s.Executions, found+s.New
	}
	return executions, found
}

// chanceOfNew estimates the probability that the next execution has a new order, after so many
// executions: by Good and Turing, the share of those whose order was seen once. One is added, so
// that a scenario with none keeps a small chance.
func (o *orders) chanceOfNew(executions int) float64 {
	once := 0
	for _, kept := range o.Kept {
		once += int(^kept & 1)
	}
	return min(float64(once*o.stands()+1)/float64(executions+1), 1)
}

// report is what a report says of the orders; nil if there are none.
func (o *orders) report() *report.Orders {
	if len(o.Spans) == 0 {
		return nil
	}
	n, found := o.last()
	return &report.Orders{Distinct: len(o.Kept) * o.stands(), Last: n, New: found, OneOf: o.stands()}
}
