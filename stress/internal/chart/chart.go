package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Style is the content of <style> in a page with charts. The colours are those of Okabe and Ito,
// which almost everybody can distinguish, lighter on a dark background.
const Style = `.chart{width:100%;height:auto;max-width:60rem;font:12px system-ui,sans-serif;--c0:#0072b2;--c1:#d55e00;--axis:#555;--grid:#ddd}
.chart text{fill:currentColor}.chart .grid{stroke:var(--grid)}.chart .axis{stroke:var(--axis)}
.chart .c0{stroke:var(--c0)}.chart .c1{stroke:var(--c1);stroke-dasharray:6 3}.chart polyline{fill:none;stroke-width:1.8}
.chart .f0{fill:var(--c0)}
@media (prefers-color-scheme:dark){.chart{--c0:#56b4e9;--c1:#e69f00;--axis:#aaa;--grid:#444}}
`

// A Chart has curves or columns over two axes.
type Chart struct {
	ID    string // prefix of the ids of its title and description: letters and hyphens
	Title string
	About string // what it shows, in a sentence
	X, Y  Axis
	// At most two Curves, or else Columns.
	Curves  []Curve
	Columns []Column
}

// An Axis begins at 0, or at a power of ten if it is logarithmic.
type Axis struct {
	Label string
	Log   bool
	Least float64 // a logarithmic axis begins here at the latest; 0 is the least number
	// Format formats the number at a mark; nil is short decimals.
	Format func(float64) string
}

// A Curve connects points. On a logarithmic axis, points that are not above 0 are left out.
type Curve struct {
	Name string
	X, Y []float64
}

// A Column reaches from From to To.
type Column struct{ From, To, Y float64 }

// The picture, in pixels.
const (
	width, height           = 720, 280
	left, right, top, under = 76, 16, 34, 48
)

// SVG draws the chart.
func (c *Chart) SVG() string {
	var p picture
	p.open(c.ID, c.Title, c.About, height)
	var xs, ys []float64
	for _, curve := range c.Curves {
		xs, ys = append(xs, curve.X...), append(ys, curve.Y...)
	}
	for _, col := range c.Columns {
		xs, ys = append(xs, col.From, col.To), append(ys, col.Y)
	}
	x, y := c.X.scale(xs, left, width-right), c.Y.scale(ys, height-under, top)
	for _, m := range y.marks {
		p.add(`<line class="grid" x1="%d" x2="%d" y1="%s" y2="%s"/>`, left, width-right, px(y.at(m)), px(y.at(m)))
		p.add(`<text x="%d" y="%s" text-anchor="end">%s</text>`, left-6, px(y.at(m)+4), html.EscapeString(c.Y.format(m)))
	}
	for _, m := range x.marks {
		p.add(`<line class="axis" x1="%s" x2="%s" y1="%d" y2="%d"/>`, px(x.at(m)), px(x.at(m)), height-under, height-under+4)
		p.add(`<text x="%s" y="%d" text-anchor="middle">%s</text>`, px(x.at(m)), height-under+17, html.EscapeString(c.X.format(m)))
	}
	for _, col := range c.Columns {
		if y.has(col.Y) {
			x1, x2, y1 := x.at(col.From), x.at(col.To), y.at(col.Y)
			p.add(`<rect class="f0" x="%s" y="%s" width="%s" height="%s"/>`, px(x1), px(y1), px(max(x2-x1-1, 0.5)), px(height-under-y1))
		}
	}
	for i, curve := range c.Curves {
		p.curve(i, curve, x, y)
		p.add(`<line class="c%d" x1="%d" x2="%d" y1="16" y2="16" stroke-width="2"/><text x="%d" y="20">%s</text>`,
			i, left+i*220, left+i*220+26, left+i*220+32, html.EscapeString(curve.Name))
	}
	p.add(`<line class="axis" x1="%d" x2="%d" y1="%d" y2="%d"/>`, left, width-right, height-under, height-under)
	p.add(`<text x="%d" y="%d" text-anchor="middle">%s</text>`, (left+width-right)/2, height-10, html.EscapeString(c.X.Label))
	p.add(`<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`, (top+height-under)/2, html.EscapeString(c.Y.Label))
	return p.close()
}

// A Bar is a bar with a name.
type Bar struct {
	Name string
	Note string // at its end
	X    float64
}

const (
	barHeight = 20
	barLeft   = 320 // room for the names
	barRight  = 150 // and for the notes
)

// Bars draws the bars from left to right, with lengths proportional to X, or to its logarithm
// if log is set. It draws no bar if X is not above 0.
func Bars(id, title, about string, bars []Bar, log bool) string {
	length := func(x float64) float64 {
		if log {
			return math.Log10(max(x, 0.5)) + 1
		}
		return x
	}
	var p picture
	p.open(id, title, about, barHeight*len(bars)+8)
	most := 0.0
	for _, b := range bars {
		most = max(most, length(b.X))
	}
	for i, b := range bars {
		y := i*barHeight + 4
		p.add(`<text x="%d" y="%d" text-anchor="end">%s</text>`, barLeft-8, y+14, html.EscapeString(b.Name))
		long := 0.0
		if b.X > 0 && most > 0 {
			long = length(b.X) / most * (width - barLeft - barRight)
			p.add(`<rect class="f0" x="%d" y="%d" width="%s" height="%d"/>`, barLeft, y+2, px(long), barHeight-5)
		}
		p.add(`<text x="%s" y="%d">%s</text>`, px(barLeft+long+6), y+14, html.EscapeString(b.Note))
	}
	return p.close()
}

// A picture is SVG that is being written.
type picture struct{ strings.Builder }

func (p *picture) add(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *picture) open(id, title, about string, height int) {
	id = html.EscapeString(id)
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-title %s-desc">`, width, height, id, id)
	p.add(`<title id="%s-title">%s</title>`, id, html.EscapeString(title))
	p.add(`<desc id="%s-desc">%s</desc>`, id, html.EscapeString(about))
}

func (p *picture) close() string {
	p.add(`</svg>`)
	return p.String()
}

// curve draws a curve, in pieces where it has gaps.
func (p *picture) curve(i int, c Curve, x, y scale) {
	var points []string
	flush := func() {
		if len(points) > 0 {
			p.add(`<polyline class="c%d" points="%s"/>`, i, strings.Join(points, " "))
		}
		points = nil
	}
	for j := range min(len(c.X), len(c.Y)) {
		if !x.has(c.X[j]) || !y.has(c.Y[j]) {
			flush()
			continue
		}
		points = append(points, px(x.at(c.X[j]))+","+px(y.at(c.Y[j])))
	}
	flush()
}

func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// A scale maps numbers to pixels.
type scale struct {
	log      bool
	lo, hi   float64 // of the numbers, or of their logarithms
	from, to float64 // pixels
	marks    []float64
}

func (s scale) has(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (v > 0 || !s.log)
}

func (s scale) at(v float64) float64 {
	if s.log {
		v = math.Log10(v)
	}
	return s.from + (v-s.lo)/(s.hi-s.lo)*(s.to-s.from)
}

// scale returns a scale with room for all values.
func (a Axis) scale(values []float64, from, to float64) scale {
	s := scale{log: a.Log, from: from, to: to}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if s.has(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	switch {
	case a.Log && lo > hi:
		lo, hi = 1, 10
	case lo > hi:
		hi = 1
	}
	if a.Log {
		if a.Least > 0 {
			lo = min(lo, a.Least)
		}
		s.lo, s.hi = math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
		s.hi = max(s.hi, s.lo+1)
		for step, d := math.Ceil((s.hi-s.lo)/8), s.lo; d <= s.hi; d += step {
			s.marks = append(s.marks, math.Pow(10, d))
		}
		return s
	}
	if hi <= 0 {
		hi = 1
	}
	step := nice(hi / 5)
	s.hi = math.Ceil(hi/step) * step
	if from < to { // across, the curve may end at the edge
		s.hi = hi
	}
	for i := 0.0; i*step <= s.hi*(1+1e-9); i++ {
		s.marks = append(s.marks, i*step)
	}
	return s
}

// nice returns the next number that is 1, 2 or 5 times a power of ten.
func nice(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5} {
		if v <= n*unit*(1+1e-9) {
			return n * unit
		}
	}
	return 10 * unit
}

func (a Axis) format(v float64) string {
	if a.Format != nil {
		return a.Format(v)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
