package chart

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// elements counts the elements of an SVG by name, and fails if it is not well-formed.
func elements(t *testing.T, svg string) map[string]int {
	t.Helper()
	count := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
}

const evil = `</svg><script>alert("1")</script>&`

// TestChart: whatever the data, the picture is well-formed, described, and has no number that is none.
func TestChart(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]Chart{
		"empty":     {},
		"empty log": {Y: Axis{Log: true}, X: Axis{Log: true}},
		"curves":    {Curves: []Curve{{Name: evil, X: []float64{0, 1, 2, 3}, Y: []float64{0, 5, nan, inf}}, {Name: "b", X: []float64{0, 3}, Y: []float64{2, 4}}}},
		"one point": {Curves: []Curve{{X: []float64{0}, Y: []float64{0}}}},
		"log":       {Y: Axis{Log: true}, Curves: []Curve{{X: []float64{0, 1, 2}, Y: []float64{0.002, 0, 1e12}}}},
		"columns":   {X: Axis{Log: true, Format: func(float64) string { return evil }}, Columns: []Column{{1, 10, 5}, {10, 100, 0}}},
	} {
		c.ID, c.Title, c.About, c.X.Label, c.Y.Label = "id", evil, evil, evil, evil
		svg := c.SVG()
		count := elements(t, svg)
		if count["title"] != 1 || count["desc"] != 1 || count["script"] != 0 || !strings.Contains(svg, `aria-labelledby="id-title id-desc"`) {
			t.Errorf("%s: %v", name, count)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: numbers that are none in\n%s", name, svg)
		}
		if svg != c.SVG() {
			t.Errorf("%s: drawn twice, it differs", name)
		}
		if name == "log" && count["polyline"] != 2 {
			t.Errorf("%d pieces of a curve with a gap, want 2", count["polyline"])
		}
	}
}

func TestBars(t *testing.T) {
	svg := Bars("id", evil, evil, []Bar{{evil, evil, 1000}, {"none", "", 0}, {"one", "", 1}}, true)
	if count := elements(t, svg); count["rect"] != 2 || count["script"] != 0 || count["desc"] != 1 {
		t.Errorf("%v", count)
	}
	elements(t, Bars("id", "", "", nil, false))
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   []float64
	}{
		{Axis{}, []float64{0, 9}, []float64{0, 2, 4, 6, 8, 10}},
		{Axis{}, []float64{0.3}, []float64{0, 0.1, 0.2, 0.30000000000000004}},
		{Axis{Log: true, Least: 0.1}, []float64{3, 70}, []float64{0.1, 1, 10, 100}},
		{Axis{Log: true}, []float64{3, 700}, []float64{1, 10, 100, 1000}},
		{Axis{Log: true}, []float64{5, 5}, []float64{1, 10}},
		{Axis{Log: true}, []float64{0}, []float64{1, 10}},
	} {
		if s := c.axis.scale(c.values, 100, 0); !slices.Equal(s.marks, c.want) {
			t.Errorf("%v: %v, want %v", c.values, s.marks, c.want)
		}
	}
}
