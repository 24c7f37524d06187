package firing

import (
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		from, every int
		want        []uint64 // of the first ten hits
	}{
		{0, 0, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{1, 1, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{0, 3, []uint64{3, 6, 9}},
		{1, 3, []uint64{1, 4, 7, 10}},
		{4, 0, []uint64{4, 5, 6, 7, 8, 9, 10}},
		{5, 4, []uint64{5, 9}},
		{11, 0, nil},
	} {
		turns := TurnsOf(&plan.Fault{From: c.from, Every: c.every})
		var got []uint64
		for n := range uint64(10) {
			if turns.Has(n + 1) {
				got = append(got, n+1)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("from %d, every %d: %v, want %v", c.from, c.every, got, c.want)
		}
		if turns.All() != (len(got) == 10) {
			t.Errorf("from %d, every %d: All = %v", c.from, c.every, turns.All())
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "worker 1", true}, {"worker *", "worker 12", true}, {"worker *", "worker", false},
		{"worker *", "a worker 1", false}, {"*1", "worker 11", true}, {"*1", "worker 12", false}, {"main/*", "main/0/2", true},
		{"main/*/2", "main/0/2", true}, {"main/*/2", "main/0/3", false}, {"a*b*c", "aXbXbXc", true}, {"a*b*c", "aXcXb", false},
		{"**", "x", true}, {"a**", "a", true}, {"", "", true}, {"", "a", false}, {"a", "a", true}, {"a", "ab", false}, {"a*a", "a", false},
	} {
		if got := Matches(c.pattern, c.name); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
	if IsPattern("worker 1") || !IsPattern("worker *") {
		t.Error("a pattern is what has a star")
	}
}

func TestLengthHasItsShape(t *testing.T) {
	f := plan.Fault{Min: time.Millisecond, Mean: 2 * time.Millisecond, Max: time.Hour}
	medians := map[plan.Shape]float64{plan.Exponential: 1.693, plan.Pareto: 1.414, plan.Uniform: 1.8e6}
	for shape, want := range medians {
		f.Shape = shape
		var lengths []time.Duration
		for i := range uint64(10_001) {
			lengths = append(lengths, Length(&f, i, 5))
		}
		slices.Sort(lengths)
		if got := float64(lengths[5000]) / 1e6; got < 0.97*want || got > 1.03*want {
			t.Errorf("%s: the median is %.3f ms, want %.3f", shape, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	if got := Limit(&plan.Fault{}); got != plan.HoldLimit {
		t.Errorf("without a bound it is %v", got)
	}
	if got := Limit(&plan.Fault{Max: 5}); got != 5 {
		t.Errorf("the bound of 5ns is %v", got)
	}
}
