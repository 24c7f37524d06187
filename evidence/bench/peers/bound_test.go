package peers

import (
	"slices"
	"strings"
	"testing"
)

// rounds are one metric's figures.
func rounds(metric string, figures ...float64) (all []Figures) {
	for _, x := range figures {
		all = append(all, Figures{metric: x})
	}
	return all
}

// ours is a result with two others, which swap places between rounds, and one that is out.
func ours() *Result {
	return &Result{Took: []Taken{
		{Contestant: "ours", Rounds: rounds("ns", 10, 20, 30)},
		{Contestant: "other", Rounds: rounds("ns", 20, 80, 40)},
		{Contestant: "third", Rounds: rounds("ns", 40, 40, 60)},
		{Contestant: "gone", Out: "not installed"},
	}}
}

// Catches: a verdict that is always the same, a ratio of different rounds or of the wrong other, a
// median or a bound that is turned round.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		bound Bound
		want  []float64
		word  string
		shown string
	}{
		{Bound{Over: []string{"other"}, Limit: 0.5}, []float64{0.5, 0.25, 0.75}, "yes, narrowly", "<= 0.5 x other"},
		{Bound{Over: []string{"other"}, Limit: 0.4}, []float64{0.5, 0.25, 0.75}, "**no**, narrowly", "<= 0.4 x other"},
		{Bound{Over: []string{"other"}, Limit: 0.1}, []float64{0.5, 0.25, 0.75}, "**no**", "<= 0.1 x other"},
		{Bound{Over: []string{"other"}, Limit: 1}, []float64{0.5, 0.25, 0.75}, "yes", "<= 1 x other"},
		{Bound{Over: []string{"other", "third", "gone"}, Limit: 0.75}, []float64{0.5, 0.5, 0.75}, "yes", "<= 0.75 x the best of other, third, gone"},
		{Bound{Over: []string{"third"}, How: AtLeast, Limit: 2}, []float64{4, 2, 2}, "yes", ">= 2 x third"},
		{Bound{Over: []string{"third"}, How: AtLeast, Limit: 5}, []float64{4, 2, 2}, "**no**", ">= 5 x third"},
		{Bound{Over: []string{"other"}, How: Beyond, Limit: -10}, []float64{-10, -60, -10}, "yes", "<= -10.0 ns more than other"},
		{Bound{Limit: 20}, []float64{10, 20, 30}, "yes, narrowly", "<= 20.0 ns"},
		{Bound{Limit: 9}, []float64{10, 20, 30}, "**no**", "<= 9.00 ns"},
		{Bound{Over: []string{"gone"}, Limit: 1}, nil, "? gone: not here", "<= 1 x gone"},
		{Bound{Of: "gone", Limit: 1}, nil, "? gone is out", "<= 1.00 ns"},
	} {
		b := c.bound
		b.Metric = "ns"
		if b.Of == "" {
			b.Of = "ours"
		}
		j := ours().Judge(b)
		if !slices.Equal(j.Rounds, c.want) || j.String() != c.word || b.String() != c.shown {
			t.Errorf("%+v: rounds %v, %q, shown as %q\nwant %v, %q, %q", b, j.Rounds, j, b, c.want, c.word, c.shown)
		}
	}
}

// Catches: two different metrics that are taken for one.
func TestAgainst(t *testing.T) {
	r := Result{Took: []Taken{
		{Contestant: "ours", Rounds: []Figures{{"after": 5, "before": 3}}},
	}}
	b := Bound{Of: "ours", Metric: "after", Over: []string{"ours"}, Against: "before", How: Beyond, Limit: 1}
	if j := r.Judge(b); j.Holds || j.Rounds[0] != 2 || b.String() != "<= 1 after more than ours, before" {
		t.Errorf("%+v, want 2 more\n%s", j, b)
	}
}

// Catches: a row whose mistakes only show in its table.
func TestCheck(t *testing.T) {
	contestant := Contestant{Name: "ours", Missing: "here"}
	for want, r := range map[string]Row{
		`"ours" is there twice`:                        {Contestants: []Contestant{contestant, contestant}},
		`"idle" has no turn`:                           {Contestants: []Contestant{{Name: "idle"}}},
		`speaks of "other": there is none`:             {Contestants: []Contestant{contestant}, Bounds: []Bound{{Of: "ours", Over: []string{"other"}}}},
		`speaks of "theirs": there is none`:            {Contestants: []Contestant{contestant}, Bounds: []Bound{{Of: "theirs"}}},
		`speaks of "ns/yard", which is not measured`:   {Contestants: []Contestant{contestant}, Metrics: []string{"ns/mile"}, Bounds: []Bound{{Of: "ours", Metric: "ns/yard"}}},
		`speaks of "ns/league", which is not measured`: {Contestants: []Contestant{contestant}, Metrics: []string{"ns/mile"}, Bounds: []Bound{{Of: "ours", Metric: "ns/mile", Against: "ns/league"}}},
	} {
		if err := r.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := r.Run(t.Context(), 1); err == nil {
			t.Errorf("ran, though %s", want)
		}
	}
}
