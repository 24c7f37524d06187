package bursts

import (
	"fmt"
	"io"

	"github.com/rouse-go/rouse/evidence/bench/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// WriteSVG draws the densities of results: a panel for each spec, in it a curve for each
// contestant, and the legend where a panel would be. All results are of one mode.
func WriteSVG(to io.Writer, results []*Result) error {
	var specs []Spec
	bySpec := map[Spec][]*Result{}
	for _, r := range results {
		if bySpec[r.Spec] == nil {
			specs = append(specs, r.Spec)
		}
		bySpec[r.Spec] = append(bySpec[r.Spec], r)
	}
	var panels []*plot.Plot
	var legend plot.Legend
	for _, spec := range specs {
		p, l, err := panel(spec, bySpec[spec])
		if err != nil {
			return err
		}
		panels, legend = append(panels, p), l
	}
	return picture.WriteSVG(to, panels, legend)
}

// panel returns the plot of one spec, and its legend, which is drawn elsewhere.
func panel(spec Spec, results []*Result) (*plot.Plot, plot.Legend, error) {
	p := picture.Panel(fmt.Sprintf("%s: %d sent to %d", spec, spec.Messages, spec.Receivers), "from the burst's beginning to its receiver", false)
	p.X.Min, p.X.Max = 2.7, 6.7 // 500 ns to 5 ms
	p.X.Tick.Marker = picture.Decades(func(decade int) string {
		return map[int]string{3: "1 us", 4: "10 us", 5: "100 us", 6: "1 ms"}[decade]
	})
	p.Y.Min = 0
	p.Y.Tick.Marker = plot.ConstantTicks(nil) // densities are compared, not read
	p.HideY()
	legend := picture.Legend()
	for i, r := range results {
		d := Estimate(r.All())
		var points plotter.XYs
		for j, x := range d.X {
			if x >= p.X.Min && x <= p.X.Max {
				points = append(points, plotter.XY{X: x, Y: d.At[j]})
			}
		}
		line, err := picture.Curve(points, i)
		if err != nil {
			return nil, legend, err
		}
		p.Add(line)
		legend.Add(r.Contestant.Name, line)
	}
	return p, legend, nil
}
