package picture

import (
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

// colours are those of Okabe and Ito: they can be distinguished by almost all readers.
var colours = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{230, 159, 0, 255},
}

// dashes distinguish curves that lie on each other.
var dashes = [][]vg.Length{nil, {vg.Points(5), vg.Points(2)}, {vg.Points(1.5), vg.Points(1.5)}, {vg.Points(7), vg.Points(2), vg.Points(1.5), vg.Points(2)}}

// Curve returns a line through points in the style of curve i, from 0. It returns an error
// if a coordinate is NaN or infinite.
func Curve(points plotter.XYs, i int) (*plotter.Line, error) {
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.Color, line.Dashes, line.Width = colours[i%len(colours)], dashes[i%len(dashes)], vg.Points(1.5)
	return line, nil
}

// Panel returns an empty plot in the pictures' style. Its grid has vertical lines, and
// with horizontal also horizontal ones, to read heights.
func Panel(title, x string, horizontal bool) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = 11
	p.X.Label.Text = x
	p.X.Label.TextStyle.Font.Size = 8
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{200}, nil
	if horizontal {
		grid.Horizontal.Color = color.Gray{200}
	}
	p.Add(grid)
	return p
}

// Legend returns an empty legend in the pictures' style.
func Legend() plot.Legend {
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.Padding, legend.ThumbnailWidth = vg.Points(4), vg.Points(30)
	return legend
}

// WriteSVG draws panels, two in a row, and the legend in the place of one more.
func WriteSVG(to io.Writer, panels []*plot.Plot, legend plot.Legend) error {
	rows := (len(panels) + columns) / columns // and one for the legend
	plots := make([][]*plot.Plot, rows)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
	}
	for i, p := range panels {
		plots[i/columns][i%columns] = p
	}
	canvas := vgsvg.New(columns*panelWidth, vg.Length(rows)*panelHeight)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Points(14), PadY: vg.Points(10),
		PadTop: vg.Points(6), PadBottom: vg.Points(6), PadLeft: vg.Points(6), PadRight: vg.Points(12)}
	canvases := plot.Align(plots, tiles, all)
	for i, p := range panels {
		p.Draw(canvases[i/columns][i%columns])
	}
	legend.Draw(draw.Crop(tiles.At(all, len(panels)%columns, len(panels)/columns), vg.Points(30), 0, 0, -vg.Points(10)))
	_, err := canvas.WriteTo(to)
	return err
}

// Decades returns a ticker for an axis of decimal logarithms: powers of ten have the label that
// label returns, and their multiples by 2 to 9 have none.
func Decades(label func(decade int) string) plot.TickerFunc {
	return func(from, to float64) (ticks []plot.Tick) {
		for decade := math.Floor(from); decade <= to; decade++ {
			for n := 1; n <= 9; n++ {
				at := decade + math.Log10(float64(n))
				if at < from || at > to {
					continue
				}
				text := ""
				if n == 1 {
					text = label(int(decade))
				}
				ticks = append(ticks, plot.Tick{Value: at, Label: text})
			}
		}
		return ticks
	}
}
