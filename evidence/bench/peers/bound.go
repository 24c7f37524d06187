package peers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Bound is a requirement on a contestant's figures.
type Bound struct {
	What   string // in words, for the table
	Of     string // the contestant
	Metric string // of both
	// Over names the contestants that it is compared with: in each round with the best of them, the
	// one with the least figure. If Over is empty, the figure itself is judged.
	Over []string
	// Against, if not "", is the metric of the others.
	Against string
	How     How
	Limit   float64
}

// How says how two figures are combined.
type How int

// The judged values.
const (
	AtMost  How = iota // figure / other's, at most the limit
	AtLeast            // other's / figure, at least the limit: how many times better
	Beyond             // figure - other's, at most the limit
)

// A Judgement is the result of checking a bound.
type Judgement struct {
	Bound  Bound
	Rounds measure.Series // the judged value of each round
	// Unmeasured says why there is no verdict.
	Unmeasured string
	Holds      bool // the median keeps to the bound
	// Near says that the bound lies in the middle half of the rounds: another run may have
	// the opposite result.
	Near bool
}

// Judge judges one bound.
func (r *Result) Judge(b Bound) Judgement {
	j := Judgement{Bound: b}
	of := r.of(b.Of)
	if of.Out != "" {
		j.Unmeasured = b.Of + " is out"
		return j
	}
	var others []*Taken
	for _, name := range b.Over {
		if other := r.of(name); other.Out == "" {
			others = append(others, other)
		}
	}
	if len(b.Over) > 0 && len(others) == 0 {
		j.Unmeasured = strings.Join(b.Over, ", ") + ": not here"
		return j
	}
	for round, figures := range of.Rounds {
		j.Rounds = append(j.Rounds, b.compare(figures.at(b.Metric), b.best(others, round)))
	}
	sorted := j.Rounds.Sorted()
	j.Holds = b.keeps(sorted.Quantile(0.5))
	j.Near = b.keeps(sorted.Quantile(0.25)) != b.keeps(sorted.Quantile(0.75))
	return j
}

// best returns the least figure of others in a round; NaN without others.
func (b Bound) best(others []*Taken, round int) float64 {
	metric := b.Metric
	if b.Against != "" {
		metric = b.Against
	}
	least := math.NaN()
	for _, other := range others {
		if x := other.Rounds[round].at(metric); !(x >= least) {
			least = x
		}
	}
	return least
}

func (b Bound) compare(figure, other float64) float64 {
	switch {
	case len(b.Over) == 0:
		return figure
	case b.How == AtLeast:
		return other / figure
	case b.How == Beyond:
		return figure - other
	default:
		return figure / other
	}
}

func (b Bound) keeps(x float64) bool {
	if b.How == AtLeast {
		return x >= b.Limit
	}
	return x <= b.Limit
}

// String returns the bound as tables show it: "<= 0.5 x rayon".
func (b Bound) String() string {
	sign := "<="
	if b.How == AtLeast {
		sign = ">="
	}
	limit := fmt.Sprintf("%s %v", sign, b.Limit)
	absolute := limit + " " + b.Metric
	if isTime(b.Metric) {
		absolute = sign + " " + format(b.Metric, b.Limit)
	}
	over := strings.Join(b.Over, ", ")
	if len(b.Over) > 1 {
		over = "the best of " + over
	}
	switch {
	case over == "":
		return absolute
	case b.How == Beyond:
		if b.Against != "" {
			over += ", " + b.Against
		}
		return absolute + " more than " + over
	default:
		return limit + " x " + over
	}
}

// check returns an error if the row is invalid, which is a mistake in the program.
func (r *Row) check() error {
	var names []string
	for _, c := range r.Contestants {
		if slices.Contains(names, c.Name) {
			return fmt.Errorf("row %s: %q is there twice", r.Name, c.Name)
		}
		if c.Missing == "" && c.Turn == nil {
			return fmt.Errorf("row %s: %q has no turn", r.Name, c.Name)
		}
		names = append(names, c.Name)
	}
	for _, b := range r.Bounds {
		for _, name := range append([]string{b.Of}, b.Over...) {
			if !slices.Contains(names, name) {
				return fmt.Errorf("row %s: bound %q speaks of %q: there is none", r.Name, b.What, name)
			}
		}
		for _, metric := range []string{b.Metric, b.Against} {
			if metric != "" && !slices.Contains(r.Metrics, metric) {
				return fmt.Errorf("row %s: bound %q speaks of %q, which is not measured", r.Name, b.What, metric)
			}
		}
	}
	return nil
}
