package curves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/picture/picturetest"
)

// flat is a line on which a unit always costs as much, and says when it was asked.
func flat(name string, ns float64, asked *[]string) Line {
	return Line{name, func(x int) (float64, time.Duration, error) {
		*asked = append(*asked, fmt.Sprint(name, x))
		return ns, time.Duration(ns * float64(x)), nil
	}}
}

// Catches: lines that do not take turns, a point that is measured although it takes too long, or in
// some rounds only.
func TestRun(t *testing.T) {
	var asked []string
	c := Curve{Name: "c", At: []int{1, 10, 100}, Lines: []Line{flat("a", 1, &asked), flat("b", 1000, &asked)}}
	r, err := Plan{Rounds: 2, Longest: 20 * time.Microsecond}.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a1", "b1", "a10", "b10", "a100", "b1", "a1", "b10", "a10", "a100"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	if got, want := fmt.Sprint(r.Points), "[[[1 1] [1 1] [1 1]] [[1000 1000] [1000 1000]]]"; got != want {
		t.Errorf("points %s, want %s", got, want)
	}
	trouble := errors.New("trouble")
	c.Lines = []Line{{"broken", func(int) (float64, time.Duration, error) { return 0, 0, trouble }}}
	if _, err := (Plan{Rounds: 1, Longest: 1}).Run(t.Context(), c); err != trouble {
		t.Errorf("%v, want the trouble", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(trouble)
	c.Lines = []Line{flat("a", 1, &asked)}
	if _, err := (Plan{Rounds: 1, Longest: 1}).Run(ctx, c); err != trouble {
		t.Errorf("%v, want the cause", err)
	}
}

// stepped has one line that is even, one that goes up a step, one whose step is noise, and one that
// goes down.
func stepped() *Result {
	return &Result{
		Rounds: 3,
		Curve:  Curve{Name: "c", About: "A curve.", X: "n", Y: "ns per job", At: []int{1, 10}, Lines: []Line{{Name: "even"}, {Name: "step"}, {Name: "noise"}, {Name: "down"}, {Name: "short"}}},
		Points: [][]measure.Series{
			{{10, 11, 12}, {14, 15, 16}},
			{{10, 11, 12}, {20, 22, 24}},
			{{10, 11, 50}, {12, 30, 40}},
			{{90, 91, 92}, {9, 9, 9}},
			{{2500, 2500, 2500}},
		},
	}
}

// Catches: a cliff that is not seen, noise that is taken for one, a way down that is.
func TestCliffs(t *testing.T) {
	if got, want := fmt.Sprint(stepped().Cliffs()), "[step: from 1 to 10, 11.0 ns becomes 22.0 ns, 2.0 times as much]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Catches: figures in the wrong column, a missing point that is shown as nothing at all.
func TestMarkdown(t *testing.T) {
	want := `## c

A curve. Medians of 3 rounds, ns per job; - would have taken too long.

![c](curve-c.svg)

| n   |    even |    step |   noise |    down |   short |
| --- | ------: | ------: | ------: | ------: | ------: |
| 1   | 11.0 ns | 11.0 ns | 11.0 ns | 91.0 ns | 2.50 us |
| 10  | 15.0 ns | 22.0 ns | 30.0 ns |  9.0 ns |       - |

Cliffs, where a point costs half as much again as the one before it, or more:

- step: from 1 to 10, 11.0 ns becomes 22.0 ns, 2.0 times as much
`
	r := stepped()
	if got := r.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r.Points = r.Points[:1]
	r.Curve.Lines = r.Curve.Lines[:1]
	if got := r.Markdown(); !strings.Contains(got, "No cliff") {
		t.Errorf("got\n%s\nwant no cliff", got)
	}
	if records := stepped().Records("here"); len(records) != 9 {
		t.Errorf("%d records, want one for each of 9 points", len(records))
	}
}

// Catches: a picture that is no SVG, or lacks a line.
func TestWriteSVG(t *testing.T) {
	var b strings.Builder
	if err := stepped().WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	texts := picturetest.Texts(t, strings.NewReader(b.String()))
	for _, line := range stepped().Curve.Lines {
		if !texts[line.Name] {
			t.Errorf("there is no %q in the picture", line.Name)
		}
	}
}

// Catches: a line that computes the wrong thing, or a curve whose points are not ascending.
func TestAll(t *testing.T) {
	for _, c := range All() {
		if !slices.IsSorted(c.At) || len(c.At) < 3 {
			t.Errorf("%s: points %v", c.Name, c.At)
		}
		c.At = c.At[:2]
		r, err := Plan{Rounds: 1, Longest: time.Minute}.Run(t.Context(), c)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for i, points := range r.Points {
			if len(points) != 2 || points[1].Median() <= 0 {
				t.Errorf("%s, %s: points %v", c.Name, c.Lines[i].Name, points)
			}
		}
	}
	if want(3, 4) == nil || want(4, 4) != nil {
		t.Error("3 is 4")
	}
}

func TestDecades(t *testing.T) {
	if got, want := fmt.Sprint(decades(1, 3, 2), decades(3, 5, 1)), "[10 30 100 300 1000] [1000 10000 100000]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
