package curves

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Curve is the cost of several operations as a quantity grows.
type Curve struct {
	Name  string
	About string // for people, with a full stop
	X, Y  string // labels of the axes
	At    []int  // ascending
	Lines []Line
}

// A Line is one operation of a curve.
type Line struct {
	Name string
	// Turn runs the operation for x, repeated until it can be measured, and returns the ns of one
	// unit, and the duration of a repetition.
	Turn func(x int) (ns float64, once time.Duration, err error)
}

// A Plan says how to measure.
type Plan struct {
	Rounds  int
	Longest time.Duration // a point that would take longer, by what the one before took, is left out, with all after it
}

// A Result holds the measurements of a curve.
type Result struct {
	Curve  Curve
	Rounds int
	Points [][]measure.Series // of each line, at each x that was not left out: a figure for each round, in ns
}

// Run measures all points, in rounds, in which lines take turns at each x. It returns early
// with an error if ctx ends or a turn fails. Nothing else may run in the process.
func (p Plan) Run(ctx context.Context, c Curve) (*Result, error) {
	r := &Result{Curve: c, Rounds: p.Rounds, Points: make([][]measure.Series, len(c.Lines))}
	last := make([]time.Duration, len(c.Lines)) // how long the point before took, in the first round
	for round := range p.Rounds {
		for i, x := range c.At {
			for j := range c.Lines {
				line := (round + j) % len(c.Lines)
				if err := ctx.Err(); err != nil {
					return nil, context.Cause(ctx)
				}
				if round == 0 && len(r.Points[line]) == i && !(i > 0 && tooLong(last[line], c.At[i-1], x, p.Longest)) {
					r.Points[line] = append(r.Points[line], nil)
				}
				if len(r.Points[line]) <= i {
					continue
				}
				ns, once, err := c.Lines[line].Turn(x)
				if err != nil {
					return nil, err
				}
				last[line] = once
				r.Points[line][i] = append(r.Points[line][i], ns)
			}
		}
	}
	return r, nil
}

// tooLong reports whether a turn would take too long at x, given the time that it took at before.
func tooLong(took time.Duration, before, x int, longest time.Duration) bool {
	return float64(took)*float64(x)/float64(before) > float64(longest)
}
