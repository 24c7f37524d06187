package strategy

import "math"

// A Guarantor is a Strategy that finds bugs with a probability that has a known lower bound.
type Guarantor interface {
	// Guarantee returns the guarantee of the last execution; false if it had none.
	Guarantee() (Guarantee, bool)
}

// A Guarantee is the theorem of PCT for one execution: a bug of that depth, which needs that many ordering
// constraints and whose changes of priority lie within the first Steps steps, is found with a probability of
// at least 1/(Tasks*Steps^(Depth-1)). A step counts if there were several tasks to choose from. What else a
// bug needs, such as an outcome of select, lowers the probability.
type Guarantee struct{ Depth, Tasks, Steps int }

// Least returns the least probability that n such executions find the bug.
func (g Guarantee) Least(n int) float64 {
	if n == 0 {
		return 0
	}
	one := 1 / (float64(g.Tasks) * math.Pow(float64(g.Steps), float64(g.Depth-1)))
	return -math.Expm1(float64(n) * math.Log1p(-one))
}

// GuaranteeOf returns the guarantee of the last execution by a strategy; false if it had none.
func GuaranteeOf(s Strategy) (Guarantee, bool) {
	if by, ok := Chooser(s).(Guarantor); ok {
		return by.Guarantee()
	}
	return Guarantee{}, false
}
