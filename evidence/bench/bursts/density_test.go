package bursts

import (
	"bytes"
	"math"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/picture/picturetest"
)

// Catches: a density that is not one, a peak that is elsewhere, or where there is none.
func TestDensity(t *testing.T) {
	var latencies measure.Series
	for range 60 {
		latencies = append(latencies, 8e3)
	}
	for range 40 {
		latencies = append(latencies, 1.1e6)
	}
	d := Estimate(latencies)
	sum := 0.0
	for _, y := range d.At {
		sum += y / perDecade
	}
	if math.Abs(sum-1) > 0.01 {
		t.Errorf("the integral is %v", sum)
	}
	for _, c := range []struct{ from, to, want float64 }{{1e3, 1e5, 8e3}, {peakFrom, peakTo, 1.1e6}, {2e4, 5e5, 0}} {
		if got := d.Peak(c.from, c.to); math.Abs(got-c.want) > 0.05*c.want {
			t.Errorf("peak between %v and %v at %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if got := Estimate(append(latencies[:60:60], 1.1e6)).Peak(peakFrom, peakTo); got != 0 {
		t.Errorf("one straggler in sixty makes a peak at %v", got)
	}
}

// Catches: a picture that is no XML, that lacks a panel, or a contestant.
func TestWriteSVG(t *testing.T) {
	var results []*Result
	for _, spec := range Specs() {
		for _, name := range []string{"this", "that"} {
			results = append(results, &Result{Spec: spec, Contestant: Contestant{Name: name}, Rounds: []measure.Series{{1e3, 2e3, 1e6}}})
		}
	}
	var picture bytes.Buffer
	if err := WriteSVG(&picture, results); err != nil {
		t.Fatal(err)
	}
	texts := picturetest.Texts(t, &picture)
	for _, want := range []string{"this", "that", "1 us", "1 ms", "1/3: 1 sent to 3", "6/6: 6 sent to 6", "1/1: 1 sent to 1"} {
		if !texts[want] {
			t.Errorf("no %q in the picture", want)
		}
	}
}
