package curves

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
	width       = 7.5 * vg.Inch
	height      = 4 * vg.Inch
	legendWidth = 2.1 * vg.Inch
)

// colours are those of Okabe and Ito: they can be told apart by almost everybody.
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255}, color.Gray{90},
}

// WriteSVG draws the curve, on logarithmic axes, with the legend at its right.
func (r *Result) WriteSVG(to io.Writer) error {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = r.Curve.X, r.Curve.Y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{220}, color.Gray{220}
	p.Add(grid)
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding, legend.ThumbnailWidth = vg.Points(4), vg.Points(18)
	legend.TextStyle.Font.Size = 10
	for i, line := range r.Curve.Lines {
		var points plotter.XYs
		for j, s := range r.Points[i] {
			points = append(points, plotter.XY{X: float64(r.Curve.At[j]), Y: s.Median()})
		}
		drawn, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return fmt.Errorf("%s: %w", line.Name, err)
		}
		drawn.Color, drawn.Width = colours[i%len(colours)], vg.Points(1.5)
		marks.Color, marks.Shape, marks.Radius = drawn.Color, draw.CircleGlyph{}, vg.Points(2)
		p.Add(drawn, marks)
		legend.Add(line.Name, drawn)
	}
	// Whole decades: a picture of noise shall look like one.
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(p.Y.Min)))
	p.Y.Max = math.Pow(10, math.Ceil(math.Log10(p.Y.Max)))

	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	p.Draw(draw.Crop(all, vg.Points(6), -legendWidth, vg.Points(6), -vg.Points(6)))
	legend.Draw(draw.Crop(all, width-legendWidth+vg.Points(8), 0, 0, -vg.Points(10)))
	_, err := canvas.WriteTo(to)
	return err
}

// ticks marks 1, 2 and 5 times each power of ten if there are few decades, else the powers alone; all others
// have no label.
func ticks(from, to float64) (ticks []plot.Tick) {
	few := to/from < 1e3
	for decade := math.Floor(math.Log10(from)); decade <= math.Log10(to); decade++ {
		for n := 1; n <= 9; n++ {
			at := float64(n) * math.Pow(10, decade)
			if at < from || at > to {
				continue
			}
			label := ""
			if n == 1 || few && (n == 2 || n == 5) {
				label = short(at)
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
		}
	}
	return ticks
}

// short is a number as it stands at an axis.
func short(x float64) string {
	switch {
	case x >= 1e6:
		return fmt.Sprintf("%g M", x/1e6)
	case x >= 1e3:
		return fmt.Sprintf("%g k", x/1e3)
	default:
		return fmt.Sprintf("%g", x)
	}
}
