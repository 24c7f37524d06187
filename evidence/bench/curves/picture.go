package curves

import (
	"fmt"
	"io"
	"math"

	"github.com/rouse-go/rouse/evidence/bench/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// WriteSVG draws the curve, on logarithmic axes, with the legend at its right.
func (r *Result) WriteSVG(to io.Writer) error {
	p := picture.Panel(r.Curve.Y, r.Curve.X, true)
	p.X.Tick.Marker, p.Y.Tick.Marker = picture.Decades(power), picture.Decades(power)
	legend := picture.Legend()
	for i, line := range r.Curve.Lines {
		var points plotter.XYs
		for j, s := range r.Points[i] {
			points = append(points, plotter.XY{X: math.Log10(float64(r.Curve.At[j])), Y: math.Log10(s.Median())})
		}
		drawn, err := picture.Curve(points, i)
		if err != nil {
			return fmt.Errorf("%s: %w", line.Name, err)
		}
		p.Add(drawn)
		legend.Add(line.Name, drawn)
	}
	// Whole decades: noise must look like noise.
	p.Y.Min, p.Y.Max = math.Floor(p.Y.Min), math.Ceil(p.Y.Max)
	return picture.WriteSVG(to, []*plot.Plot{p}, legend)
}

// power formats a power of ten for an axis.
func power(decade int) string {
	switch x := math.Pow10(decade); {
	case x >= 1e6:
		return fmt.Sprintf("%g M", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%g k", x/1e3)
	default:
		return fmt.Sprintf("%g", x)
	}
}
