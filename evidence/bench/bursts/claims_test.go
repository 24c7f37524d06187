package bursts

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// asTheSeedSays are results of which each claim is true: the ages of messages in us, the
// bursts being one. change may spoil one.
func asTheSeedSays(change func(of func(name string, s Spec) *Result)) []*Result {
	var results []*Result
	add := func(name string, burst bool, s Spec, us ...float64) {
		ages := measure.Series(us)
		for i := range ages {
			ages[i] *= 1000
		}
		results = append(results, &Result{Mode: Blocks, Spec: s, Contestant: Contestant{Name: name, Burst: burst}, Bursts: 1, Sent: len(us), Rounds: []measure.Series{ages}})
	}
	add("burst", true, oneOfThree, 5, 8, 11)
	add("burst", true, twoOfThree, 7, 8, 9)
	add("burst", true, threeOfThree, 7, 8, 9)
	add("burst", true, sixOfSix, 19, 20, 21)
	add("burst", true, overloads[0], 7, 8, 9)
	add("burst", true, overloads[1], 7, 8, 9)
	add("burst", true, oneOfOne, 7, 8, 9)
	add(rival, false, oneOfThree, 4, 5, 6)
	add(rival, false, twoOfThree, 4, 7, 10)
	add(rival, false, threeOfThree, 6, 9, 12)
	add(rival, false, sixOfSix, 7, 10, 13)
	add(rival, false, overloads[0], 8, 8, 8, 1090)
	add(rival, false, overloads[1], 8, 8, 8, 1090, 1100)
	add(rival, false, oneOfOne, 7, 8, 9)
	if change != nil {
		change(func(name string, s Spec) *Result {
			return results[slices.IndexFunc(results, func(r *Result) bool { return r.Contestant.Name == name && r.Spec == s })]
		})
	}
	return results
}

// Catches: a claim that is judged by other figures than those it is about, or that
// nothing can refute.
func TestClaims(t *testing.T) {
	for _, c := range Claims(asTheSeedSays(nil)) {
		if !c.Holds || c.Verdict() != "holds" {
			t.Errorf("%q, by %q: %s", c.Says, c.Figures, c.Verdict())
		}
	}
	ages := func(name string, s Spec, us ...float64) func(func(string, Spec) *Result) {
		return func(of func(string, Spec) *Result) {
			for i := range us {
				us[i] *= 1000
			}
			of(name, s).Rounds = []measure.Series{us}
		}
	}
	for says, spoil := range map[string]func(func(string, Spec) *Result){
		"no effect":           ages("burst", twoOfThree, 10, 11, 12),
		"compares favourably": ages(rival, oneOfThree, 5, 8.5, 10),
		"gradually worse":     ages(rival, twoOfThree, 4, 4.5, 10),
		"roughly the same":    ages(rival, threeOfThree, 6, 11, 16),
		"sends 3 messages":    func(of func(string, Spec) *Result) { of("burst", overloads[1]).Sent = 5 },
		"second peak":         ages(rival, overloads[0], 8, 8, 8, 8),
		"degrades more badly": ages(rival, sixOfSix, 20, 23, 26),
		"generally lower": func(of func(string, Spec) *Result) {
			ages("burst", twoOfThree, 2, 8, 14)(of)
			ages("burst", sixOfSix, 10, 20, 30)(of)
		},
		"the exception of 1/3":   ages(rival, oneOfThree, 1, 5, 9),
		"more workers than core": ages("burst", oneOfOne, 18, 19, 20),
	} {
		found := false
		for _, c := range Claims(asTheSeedSays(spoil)) {
			if strings.Contains(c.Says, says) {
				found = true
				if c.Holds || c.Verdict() != "does not hold" {
					t.Errorf("%q holds, by %q", c.Says, c.Figures)
				}
			}
		}
		if !found {
			t.Errorf("no claim says %q", says)
		}
	}
}

// Catches: claims of one sender judged by the figures of another, or of one contestant
// by those of the other.
func TestClaimsOfEachSubject(t *testing.T) {
	results := asTheSeedSays(nil)
	for _, r := range asTheSeedSays(nil) {
		r.Mode = Computes
		if r.Contestant.Burst {
			r.Contestant.Name = "threads"
		}
		results = append(results, r)
	}
	subjects := map[string]int{}
	for _, c := range Claims(results) {
		if !c.Holds {
			t.Errorf("%+v", c)
		}
		subjects[string(c.Mode)+" "+c.Subject]++
	}
	if n := subjects["blocks burst"]; len(subjects) != 2 || n == 0 || n != subjects["computes threads"] {
		t.Errorf("claims: %v", subjects)
	}
}

// Catches: figures in the wrong column, and a ratio of other rounds.
func TestMarkdown(t *testing.T) {
	results := []*Result{
		{Mode: Blocks, Spec: Spec{3, 2}, Contestant: Contestant{Name: "a"}, Bursts: 2, Sent: 3, Rounds: []measure.Series{{100, 100}, {200}}},
		{Mode: Blocks, Spec: Spec{3, 2}, Contestant: Contestant{Name: "b"}, Bursts: 2, Sent: 4, Rounds: []measure.Series{{150, 150}, {300, 300}}},
	}
	want := `| 2 sent to 3, sender blocks |   1% |  10% |  50% |   90% |   99% |  mean | stddev | sent |            ratio |
| -------------------------- | ---: | ---: | ---: | ----: | ----: | ----: | -----: | ---: | ---------------: |
| a                          |  100 |  100 |  100 |   180 |   198 |   133 |     58 | 1.50 | 1.00 (1.00-1.00) |
| b                          |  150 |  150 |  225 |   300 |   300 |   225 |     87 | 2.00 | 1.50 (1.50-1.50) |
| burst-pool, seed           | 3897 | 5144 | 8181 | 22370 | 31162 | 12146 |  31760 |      |             1.00 |
| spmc, seed                 | 4260 | 5454 | 7279 | 14389 | 30019 |  9169 |   8484 |      |             0.89 |
`
	if got := Markdown(results); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
