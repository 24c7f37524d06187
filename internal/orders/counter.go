package orders

import (
	"math"
	"slices"
)

const (
	// mostKept is how many orders a Counter keeps, in 4 bytes each. Until more are seen, all counts are
	// exact. After that they are estimates from a sample of at least half as many, with a standard error of
	// about 2 % for the number of orders, and of 1/sqrt(n) for a count with n orders in the sample.
	mostKept = 4096
	// lastExecutions is over how many executions new orders are counted, in spans of spanExecutions.
	lastExecutions, spanExecutions = 10_000, 1_000
	// mostCounted is the maximum count of an order: one more than estimates need.
	mostCounted = 1<<countBits - 1
)

// A Counter counts the orders of executions. It samples them by their hash (Wegman's adaptive sampling), so
// the count of each order in the sample is exact. Except for Last, its results do not depend on the order in
// which executions are added.
type Counter struct {
	// Level is how many bits of a hash must be 0 for the order to be in the sample.
	Level int `json:",omitempty"`
	// Kept holds the sample, ascending. The lowest bits count how often the order was seen, up to mostCounted.
	Kept  Hashes `json:",omitempty"`
	Spans []span `json:",omitempty"` // the oldest first
}

// A span counts consecutive executions, and the orders that were new in them.
type span struct{ Executions, New int }

// Add adds the orders of the given number of executions.
func (c *Counter) Add(seen Hashes, executions int) {
	last := len(c.Spans) - 1
	if last < 0 || c.Spans[last].Executions >= spanExecutions {
		c.Spans = append(c.Spans, span{})
		last++
	}
	for _, hash := range seen {
		c.Spans[last].New += c.add(hash)
	}
	c.Spans[last].Executions += executions
	for n, _ := c.Last(); n-c.Spans[0].Executions >= lastExecutions; n, _ = c.Last() {
		c.Spans = c.Spans[1:]
	}
}

// add adds an order, and returns how many new orders it stands for.
func (c *Counter) add(hash uint32) int {
	if !sampled(hash, c.Level) {
		return 0
	}
	hash &^= mostCounted
	i, _ := slices.BinarySearch(c.Kept, hash)
	if i < len(c.Kept) && c.Kept[i]&^mostCounted == hash {
		if c.Kept[i]&mostCounted < mostCounted {
			c.Kept[i]++
		}
		return 0
	}
	c.Kept = slices.Insert(c.Kept, i, hash+1)
	stands := c.OneOf()
	for len(c.Kept) > mostKept {
		c.Level++
		c.Kept = slices.DeleteFunc(c.Kept, func(kept uint32) bool { return !sampled(kept, c.Level) })
	}
	return stands
}

// OneOf returns how many orders one of the sample stands for: 1 if all counts are exact.
func (c *Counter) OneOf() int { return 1 << c.Level }

// Distinct returns how many orders were seen.
func (c *Counter) Distinct() int { return len(c.Kept) * c.OneOf() }

// Last returns how many executions were added last, about 10,000 at most, and how many orders were new in them.
func (c *Counter) Last() (executions, found int) {
	for _, s := range c.Spans {
		executions, found = executions+s.Executions, found+s.New
	}
	return executions, found
}

// seen returns how many orders were seen exactly the given number of times, once or twice.
func (c *Counter) seen(times uint32) (n int) {
	for _, kept := range c.Kept {
		if kept&mostCounted == times {
			n++
		}
	}
	return n * c.OneOf()
}

// A Summary is the part of a report on the orders of some executions.
type Summary struct {
	Distinct int `json:"distinct"`
	// Last is the number of executions over which New counts new orders: about the last 10,000.
	Last int `json:"last"`
	New  int `json:"new"`
	// OneOf is 1 if the numbers are exact. Otherwise they are estimates from a sample of one in OneOf
	// orders.
	OneOf int `json:"one_of"`
	// ChanceOfNew is the chance that one more execution has a new order. It is nil if the estimate does not hold,
	// for example because an exhaustive strategy makes no schedule twice.
	ChanceOfNew *Chance `json:"chance_of_new,omitempty"`
}

// Summary returns the summary after the given number of executions, or nil if no orders were counted. It caps
// estimates at that number.
func (c *Counter) Summary(executions int) *Summary {
	if len(c.Spans) == 0 {
		return nil
	}
	n, found := c.Last()
	chance := c.ChanceOfNew(executions)
	return &Summary{Distinct: min(c.Distinct(), executions), Last: n, New: min(found, n), OneOf: c.OneOf(), ChanceOfNew: &chance}
}

// WithoutChance returns the summary without ChanceOfNew, or nil for a nil summary.
func (s *Summary) WithoutChance() *Summary {
	if s == nil || s.ChanceOfNew == nil {
		return s
	}
	without := *s
	without.ChanceOfNew = nil
	return &without
}

// A Chance is an estimate of a probability, with the bounds of its 95 % confidence interval.
type Chance struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// ChanceOfNew estimates the probability that one more execution has a new order, after the given number of
// executions drawn from the same distribution. The estimate is Good and Turing's, the share of executions whose
// order was seen once; the bounds are Esty's (Annals of Statistics 11, 1983). If hardly any order was seen once, or
// hardly any more often, the bounds are widened to 3/n, which n executions without an event leave possible. The
// estimate does not cover orders that the strategy cannot reach, nor the chance of a failure.
func (c *Counter) ChanceOfNew(executions int) Chance {
	if executions <= 0 {
		return Chance{1, 0, 1}
	}
	n, once, twice := float64(executions), float64(c.seen(1)), float64(c.seen(2))
	spread := 1.96 * math.Sqrt(once*max(1-once/n, 0)+2*twice) * math.Sqrt(float64(c.OneOf()))
	return Chance{
		Estimate: min(once/n, 1),
		Low:      max(min(once-spread, n-3)/n, 0),
		High:     min(max(once+spread, 3)/n, 1),
	}
}

// Weight returns the estimate for comparisons: it adds one to the orders that were seen once, so that a counter
// without any keeps a small chance.
func (c *Counter) Weight(executions int) float64 {
	return min(float64(c.seen(1)+1)/float64(executions+1), 1)
}
