package bursts

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	columns     = 2
	panelWidth  = 4.5 * vg.Inch
	panelHeight = 2.2 * vg.Inch
)

// colours are those of Okabe and Ito: they can be told apart by almost everybody.
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255},
}

// dashes tell curves apart that lie on each other.
var dashes = [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(1.5)}, {vg.Points(7), vg.Points(2), vg.Points(1.5), vg.Points(2)}}

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
	rows := (len(specs) + columns) / columns // and one for the legend
	plots := make([][]*plot.Plot, rows)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
	}
	var legend plot.Legend
	for i, spec := range specs {
		p, l, err := panel(spec, bySpec[spec])
		if err != nil {
			return err
		}
		plots[i/columns][i%columns], legend = p, l
	}

	canvas := vgsvg.New(columns*panelWidth, vg.Length(rows)*panelHeight)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Points(14), PadY: vg.Points(10),
		PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(12)}
	canvases := plot.Align(plots, tiles, all)
	for i := range specs {
		plots[i/columns][i%columns].Draw(canvases[i/columns][i%columns])
	}
	legend.Draw(draw.Crop(tiles.At(all, len(specs)%columns, len(specs)/columns), vg.Points(30), 0, 0, -vg.Points(10)))
	_, err := canvas.WriteTo(to)
	return err
}

// panel returns the plot of one spec, and its legend, which stands elsewhere.
func panel(spec Spec, results []*Result) (*plot.Plot, plot.Legend, error) {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: %d sent to %d", spec, spec.Messages, spec.Receivers)
	p.Title.TextStyle.Font.Size = 11
	p.X.Label.Text = "from the burst's beginning to its receiver"
	p.X.Label.TextStyle.Font.Size = 8
	p.X.Min, p.X.Max = 2.7, 6.7 // 500 ns to 5 ms
	p.X.Tick.Marker = plot.TickerFunc(decades)
	p.Y.Min = 0
	p.Y.Tick.Marker = plot.ConstantTicks(nil) // densities are compared, not read
	p.HideY()
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{200}, nil
	p.Add(grid)
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding, legend.ThumbnailWidth = vg.Points(4), vg.Points(30)
	for i, r := range results {
		d := Estimate(r.All())
		var points plotter.XYs
		for j, x := range d.X {
			if x >= p.X.Min && x <= p.X.Max {
				points = append(points, plotter.XY{X: x, Y: d.At[j]})
			}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, legend, err
		}
		line.Color, line.Dashes, line.Width = colours[i%len(colours)], dashes[i%len(dashes)], vg.Points(1.5)
		p.Add(line)
		legend.Add(r.Contestant.Name, line)
	}
	return p, legend, nil
}

// decades marks powers of ten, with labels, and 2 to 9 times those, without.
func decades(from, to float64) (ticks []plot.Tick) {
	for decade := math.Floor(from); decade <= to; decade++ {
		for n := 1; n <= 9; n++ {
			at := decade + math.Log10(float64(n))
			if at < from || at > to {
				continue
			}
			label := ""
			if n == 1 {
				label = map[float64]string{3: "1 us", 4: "10 us", 5: "100 us", 6: "1 ms"}[decade]
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
		}
	}
	return ticks
}
