package scale

import (
	"fmt"
	"io"
	"math"

	"github.com/rouse-go/rouse/bench/picture"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// A Picture is some panels about one question. Both axes of each are logarithmic.
type Picture struct {
	Name   string // of its file, without .svg
	panels []panel
}

type panel struct {
	title, workload string
	unit            func(decade int) string
	of              func(r Result) float64 // what is 0, or not a number, is left out
}

// Pictures returns all there are.
func Pictures() []Picture {
	ns := func(of func(r Result) Time) func(r Result) float64 {
		return func(r Result) float64 { return of(r).Nanoseconds() }
	}
	nearly := ns(func(r Result) Time { return r.Nearly })
	post := ns(func(r Result) Time { return r.Post })
	wait := func(r Result) float64 { return r.Word.Wait() }
	return []Picture{
		{"parallel", []panel{
			{"fork: until 9/10 of the workers are busy", "fork", timeUnit, nearly},
			{"burst: until 9/10 of the workers are busy", "burst", timeUnit, nearly},
			{"fine: until all is done (ideal: 80 us)", "fine", timeUnit, ns(func(r Result) Time { return r.Took })},
			{"fork: wakes per worker", "fork", plainUnit, func(r Result) float64 { return float64(r.Wakes) / float64(r.Workers) }},
			{"burst: wakes per worker", "burst", plainUnit, func(r Result) float64 { return float64(r.Wakes) / float64(r.Workers) }},
		}},
		{"trickle", []panel{
			{"a job every 10 ms: cores burnt", "trickle-10ms", plainUnit, Result.Cores},
			{"a job every 100 us: cores burnt", "trickle-100us", plainUnit, Result.Cores},
			{"a job every 10 ms: wakes per job", "trickle-10ms", plainUnit, Result.WakesPerJob},
			{"a job every 100 us: wakes per job", "trickle-100us", plainUnit, Result.WakesPerJob},
			{"a job every 10 ms: a post", "trickle-10ms", timeUnit, post},
		}},
		{"words", []panel{
			{"fork: a post", "fork", timeUnit, post},
			{"burst: a post", "burst", timeUnit, post},
			{"fine: a post", "fine", timeUnit, post},
			{"fork: a write's wait for the shared word", "fork", timeUnit, wait},
			{"fine: a write's wait for the shared word", "fine", timeUnit, wait},
		}},
	}
}

func timeUnit(decade int) string {
	if decade < 0 || decade > 11 {
		return ""
	}
	return fmt.Sprintf("%d %s", int(math.Pow10(decade%3)), []string{"ns", "us", "ms", "s"}[decade/3])
}

func plainUnit(decade int) string { return fmt.Sprintf("%g", math.Pow10(decade)) }

// WriteSVG draws the picture: a curve for each way in each panel.
func (p Picture) WriteSVG(to io.Writer, figures []*Figure) error {
	var panels []*plot.Plot
	var legend plot.Legend
	for _, panel := range p.panels {
		drawn, l, err := panel.draw(figures)
		if err != nil {
			return err
		}
		panels, legend = append(panels, drawn), l
	}
	return picture.WriteSVG(to, panels, legend)
}

func (p panel) draw(figures []*Figure) (*plot.Plot, plot.Legend, error) {
	drawn := picture.Panel(p.title, "workers", true)
	drawn.X.Tick.Marker = plot.TickerFunc(doublings)
	drawn.Y.Tick.Marker = plot.TickerFunc(func(from, to float64) (ticks []plot.Tick) {
		for decade := math.Ceil(from); decade <= to; decade++ {
			ticks = append(ticks, plot.Tick{Value: decade, Label: p.unit(int(decade))})
		}
		return ticks
	})
	drawn.Y.Tick.Label.Font.Size = 8
	drawn.X.Tick.Label.Font.Size = 9
	legend := picture.Legend()
	low, high := math.Inf(1), math.Inf(-1)
	for i, way := range AllWays() {
		var points plotter.XYs
		for _, f := range figures {
			if f.Way != way.Name || f.Workload != p.workload {
				continue
			}
			if y := f.Median(p.of); y > 0 {
				points = append(points, plotter.XY{X: math.Log2(float64(f.Workers)), Y: math.Log10(y)})
			}
		}
		if len(points) == 0 {
			continue
		}
		for _, at := range points {
			low, high = min(low, at.Y), max(high, at.Y)
		}
		line, err := picture.Curve(points, i)
		if err != nil {
			return nil, legend, err
		}
		drawn.Add(line)
		legend.Add(way.Name, line)
	}
	if low <= high { // whole decades, so that some are labelled
		drawn.Y.Min, drawn.Y.Max = math.Floor(low), math.Ceil(high+1e-9)
	}
	return drawn, legend, nil
}

// doublings marks powers of two of an axis of binary logarithms.
func doublings(from, to float64) (ticks []plot.Tick) {
	for power := math.Ceil(from); power <= to; power++ {
		ticks = append(ticks, plot.Tick{Value: power, Label: fmt.Sprint(math.Pow(2, power))})
	}
	return ticks
}
