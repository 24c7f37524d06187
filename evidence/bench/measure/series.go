package measure

import (
	"math"
	"slices"
)

// A Series is a sequence of repeated measurements of one thing.
type Series []float64

// Sorted returns the same numbers in ascending order.
func (s Series) Sorted() Sorted {
	c := slices.Clone(s)
	slices.Sort(c)
	return Sorted(c)
}

// Median returns the median; it sorts a copy.
func (s Series) Median() float64 { return s.Sorted().Quantile(0.5) }

// Over returns the ratios of each number to the one in the same place of base.
func (s Series) Over(base Series) Series {
	r := make(Series, len(s))
	for i := range r {
		r[i] = s[i] / base[i]
	}
	return r
}

// Mean returns the arithmetic mean; NaN if s is empty.
func (s Series) Mean() float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// StdDev returns the standard deviation of the population that s is a sample of; NaN
// if there are fewer than two numbers.
func (s Series) StdDev() float64 {
	mean, sum := s.Mean(), 0.0
	for _, x := range s {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(s)-1))
}

// Sorted are numbers in ascending order.
type Sorted []float64

// Quantile returns the q-quantile, interpolated linearly between two
// neighbours; NaN if s is empty.
func (s Sorted) Quantile(q float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	at := q * float64(len(s)-1)
	below := int(at)
	if below+1 >= len(s) {
		return s[len(s)-1]
	}
	return s[below] + (at-float64(below))*(s[below+1]-s[below])
}
