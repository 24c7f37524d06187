package curves

import "fmt"

// steep is the ratio to the point before above which a point is a cliff.
const steep = 1.5

// A Cliff is a point that costs much more than the one before it.
type Cliff struct {
	Line         string
	From, To     int     // x
	Before, Then float64 // ns, medians
}

// Cliffs returns the points of all lines at which the median cost of a unit is more than steep times
// that of the point before, and the middle halves of their rounds are apart by a quarter.
func (r *Result) Cliffs() (cliffs []Cliff) {
	for line, points := range r.Points {
		for i := 1; i < len(points); i++ {
			before, then := points[i-1].Sorted(), points[i].Sorted()
			if then.Quantile(0.5) > steep*before.Quantile(0.5) && then.Quantile(0.25) > (1+(steep-1)/2)*before.Quantile(0.75) {
				cliffs = append(cliffs, Cliff{r.Curve.Lines[line].Name, r.Curve.At[i-1], r.Curve.At[i], before.Quantile(0.5), then.Quantile(0.5)})
			}
		}
	}
	return cliffs
}

func (c Cliff) String() string {
	return fmt.Sprintf("%s: from %d to %d, %s becomes %s, %.1f times as much", c.Line, c.From, c.To, nanoseconds(c.Before), nanoseconds(c.Then), c.Then/c.Before)
}
