package campaign

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// chance is the probability below which a fault that has not fired is a failure: in a short campaign
// a fault with a probability may not fire by chance. A gate with a thousand such faults, run a
// thousand times, fails once for no reason.
const chance = 1e-6

// silent lists the faults that have not fired, by their place in the plan.
func (t *tally) silent() (faults []int) {
	for i, f := range t.Faults {
		if f.Fires == 0 {
			faults = append(faults, i)
		}
	}
	return faults
}

// odds returns the probability that the i-th fault, which has not fired, would not fire: 1
// if nothing was drawn for it.
func (t *tally) odds(i int) float64 {
	if t.merged {
		return t.mergedOdds[i]
	}
	draws := t.Faults[i].Hits - t.Faults[i].Skipped
	if t.scenario.Exhaustive() && t.Executions > 0 { // all with the same seed, and so the same draws
		draws = (draws + uint64(t.Executions) - 1) / uint64(t.Executions)
	}
	return math.Pow(1-cmp.Or(t.scenario.Plan[i].Probability, 1), float64(draws))
}

// allOdds returns the odds of all faults, 0 for a fault that has fired, or nil if all have fired.
func (t *tally) allOdds() []float64 {
	silent := t.silent()
	if len(silent) == 0 {
		return nil
	}
	all := make([]float64, len(t.Faults))
	for _, i := range silent {
		all[i] = t.odds(i)
	}
	return all
}

// byChance reports whether all of these faults may have been silent by chance. A fault for which nothing
// was drawn was not.
func (t *tally) byChance(silent []int) bool {
	for _, i := range silent {
		if o := t.odds(i); o == 1 || o < chance {
			return false
		}
	}
	return true
}

func (t *tally) neverFired(silent []int) string {
	var which []string
	for _, i := range silent {
		f, odds := t.Faults[i], t.odds(i)
		how := ""
		switch {
		case f.Hits == 0:
			how = "was never reached"
		case odds == 1:
			how = fmt.Sprintf("never fired: from and every left out all of %d visits", f.Hits)
		case odds == 0:
			how = fmt.Sprintf("never fired in %d visits", f.Hits)
		default:
			how = fmt.Sprintf("never fired in %d visits (by chance: %.2g)", f.Hits, odds)
		}
		which = append(which, fmt.Sprintf("%s at %s %s", f.Kind, f.At, how))
	}
	text := strings.Join(which, "; ")
	if t.byChance(silent) {
		text += ": too few to tell"
	}
	return text
}
