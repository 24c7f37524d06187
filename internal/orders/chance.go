package orders

import "math"

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
