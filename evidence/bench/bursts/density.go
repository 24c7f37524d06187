package bursts

import (
	"math"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Density is an estimated probability density of latencies on a logarithmic axis:
// At[i] is the density at 10^X[i] ns, for one decade.
type Density struct{ X, At []float64 }

const (
	// A density covers a tenth of a microsecond to a tenth of a second.
	firstDecade, lastDecade = 2.0, 8.0
	perDecade               = 100
	// kernel is the deviation of a kernel in decades: the same for all, so that the height
	// of curves can be compared. (Silverman's rule of thumb is for one peak, and blurs
	// two.)
	kernel = 0.03
)

// Estimate returns a kernel density estimate: Gaussian kernels on the logarithms. It costs
// a step for each latency and each point near it.
func Estimate(latencies measure.Series) Density {
	n := int((lastDecade-firstDecade)*perDecade) + 1
	d := Density{make([]float64, n), make([]float64, n)}
	for i := range d.X {
		d.X[i] = firstDecade + float64(i)/perDecade
	}
	scale := 1 / (float64(len(latencies)) * kernel * math.Sqrt(2*math.Pi))
	for _, ns := range latencies {
		x := math.Log10(max(ns, 1))
		from := max(0, int(math.Ceil((x-5*kernel-firstDecade)*perDecade)))
		for i := from; i < n && d.X[i] <= x+5*kernel; i++ {
			u := (d.X[i] - x) / kernel
			d.At[i] += scale * math.Exp(-u*u/2)
		}
	}
	return d
}

// Peak returns the latency, in ns, of the highest peak between two latencies; 0 if the
// density has no peak there that is as high as a twentieth of its highest.
func (d Density) Peak(from, to float64) float64 {
	highest, best, at := 0.0, 0.0, 0.0
	for _, y := range d.At {
		highest = max(highest, y)
	}
	for i := 1; i+1 < len(d.At); i++ {
		ns, y := math.Pow(10, d.X[i]), d.At[i]
		if ns >= from && ns <= to && y >= d.At[i-1] && y > d.At[i+1] && y >= highest/20 && y > best {
			best, at = y, ns
		}
	}
	return at
}
