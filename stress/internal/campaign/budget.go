package campaign

import (
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// patience is how many times its share of the time a control may take: it ends with its
// conviction, and nearly always long before that.
const patience = 30

// shareOf is what the first of the remaining scenarios may take of the time that is left.
func shareOf(left time.Duration, remaining []scenario.Scenario) time.Duration {
	left = max(left, 0)
	all := 0
	for i := range remaining {
		all += weight(&remaining[i])
	}
	first := &remaining[0]
	share := time.Duration(float64(left) * float64(weight(first)) / float64(all))
	if first.Expect != verdict.Pass {
		share = min(patience*share, left)
	}
	return share
}

func weight(sc *scenario.Scenario) int { return max(sc.Share, 1) }

// leftOf is what there is of the scenario's share.
func (c *campaign) leftOf(t *turn) time.Duration { return t.share - c.now().Sub(t.start) }
