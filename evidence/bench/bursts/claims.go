package bursts

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Claim is a sentence of burst-pool's README about its figures ("Here's my
// interpretation of the numbers", "Design"), and whether it is true of ours.
type Claim struct {
	Mode    Mode
	Subject string // the contestant that represents burst-pool; the channel represents spmc
	Says    string
	Rule    string // that decides it
	Figures string
	Holds   bool
}

// Verdict is one word or two for a table.
func (c Claim) Verdict() string {
	if c.Holds {
		return "holds"
	}
	return "does not hold"
}

const (
	// alike is how far two figures that are "roughly the same" may be apart, as a ratio.
	alike = 1.25
	// more is the least ratio at which one figure counts as larger than the other.
	more = 1.05
)

// rival is the contestant that represents spmc.
const rival = "channel"

// The second peak is expected where a receiver has finished its first message.
const (
	peakFrom = 700e3 // ns
	peakTo   = 2e6   // ns
)

// Claims judges the sentences by results, once for each mode and each contestant of
// burst's kind. The results must cover all Specs and the rival.
func Claims(results []*Result) (claims []Claim) {
	type subject struct {
		mode Mode
		name string
	}
	var subjects []subject
	figures := map[subject]figures{}
	for _, r := range results {
		s := subject{r.Mode, r.Contestant.Name}
		if figures[s] == nil {
			figures[s] = map[Spec]figure{}
			if r.Contestant.Burst {
				subjects = append(subjects, s)
			}
		}
		figures[s][r.Spec] = newFigure(r)
	}
	for _, s := range subjects {
		j := judge{mode: s.mode, name: s.name, burst: figures[s], rival: figures[subject{s.mode, rival}]}
		j.judge()
		claims = append(claims, j.claims...)
	}
	return claims
}

// figures holds the figures that decide the claims.
type figures map[Spec]figure

type figure struct {
	median, deviation float64 // ns
	perBurst          float64 // messages sent
	late              float64 // share of messages that are older than Busy
	peak              float64 // ns; 0 if there is no second peak
}

func newFigure(r *Result) figure {
	all := r.All()
	late := 0
	for _, ns := range all {
		if ns > float64(Busy) {
			late++
		}
	}
	return figure{
		median:    all.Median(),
		deviation: all.StdDev(),
		perBurst:  float64(r.Sent) / float64(r.Bursts),
		late:      float64(late) / float64(len(all)),
		peak:      Estimate(all).Peak(peakFrom, peakTo),
	}
}

// The specs that the claims are about.
var (
	oneOfThree   = Spec{3, 1}
	twoOfThree   = Spec{3, 2}
	threeOfThree = Spec{3, 3}
	sixOfSix     = Spec{6, 6}
	overloads    = []Spec{{3, 4}, {3, 5}}
	oneOfOne     = Spec{1, 1}
)

// A judge judges one subject.
type judge struct {
	mode         Mode
	name         string
	burst, rival figures
	claims       []Claim
}

func (j *judge) claim(holds bool, says, rule, figures string, args ...any) {
	j.claims = append(j.claims, Claim{j.mode, j.name, says, rule, fmt.Sprintf(figures, args...), holds})
}

func (j *judge) judge() {
	j.independence()
	j.againstRival()
	j.overload()
	j.saturation()
	j.variance()
	j.cores()
}

func (j *judge) independence() {
	a, b, c := j.burst[oneOfThree].median, j.burst[twoOfThree].median, j.burst[threeOfThree].median
	ratio := max(a, b, c) / min(a, b, c)
	j.claim(ratio <= alike,
		"With 3 workers, the number of messages has no effect on burst",
		fmt.Sprintf("the medians of 1/3, 2/3 and 3/3 are within %v of each other", alike),
		"%s, %s, %s: %.2f apart", us(a), us(b), us(c), ratio)
}

func (j *judge) againstRival() {
	a, b, c := j.rival[oneOfThree].median, j.rival[twoOfThree].median, j.rival[threeOfThree].median
	mine := j.burst[oneOfThree].median
	j.claim(a*more <= mine,
		"The "+rival+" compares favourably at 1/3",
		fmt.Sprintf("its median is lower by a factor of %v at least", more), "%s against %s", us(a), us(mine))
	j.claim(a*more <= b && b*more <= c,
		"... becomes gradually worse with the number of messages (2/3)",
		fmt.Sprintf("its medians rise, by a factor of %v at least", more), "%s, %s, %s", us(a), us(b), us(c))
	mine = j.burst[threeOfThree].median
	ratio := max(c, mine) / min(c, mine)
	j.claim(ratio <= alike,
		"... until it is roughly the same at 3/3",
		fmt.Sprintf("the medians are within %v of each other", alike), "%s against %s: %.2f apart", us(c), us(mine), ratio)
}

func (j *judge) overload() {
	most := true
	var sent []string
	for _, s := range overloads {
		most = most && j.burst[s].perBurst > 2.9 && j.burst[s].perBurst <= 3
		sent = append(sent, fmt.Sprintf("%.2f of %d", j.burst[s].perBurst, s.Messages))
	}
	j.claim(most, "When overloaded (4/3, 5/3) burst sends 3 messages, the others are discarded",
		"it sends 3 in a burst, all but always", "%s", strings.Join(sent, ", "))

	bimodal := true
	var peaks []string
	for _, s := range overloads {
		f := j.rival[s]
		bimodal = bimodal && f.perBurst == float64(s.Messages) && f.peak > 0
		peaks = append(peaks, fmt.Sprintf("%s: all sent: %v, %.0f %% late, second peak at %s", s, f.perBurst == float64(s.Messages), 100*f.late, us(f.peak)))
	}
	j.claim(bimodal, "... and the "+rival+" sends all; its second peak is around 1000 us",
		"all are sent, and the density has a peak between 700 and 2000 us", "%s", strings.Join(peaks, "; "))
}

func (j *judge) saturation() {
	mine := j.burst[sixOfSix].median / j.burst[threeOfThree].median
	its := j.rival[sixOfSix].median / j.rival[threeOfThree].median
	j.claim(mine >= its*more, "From 3/3 to 6/6 burst degrades more badly than the "+rival,
		fmt.Sprintf("its median grows by more, by a factor of %v at least", more), "by %.2f against %.2f, on %d cores; the seed's own table says %.2f against %.2f", mine, its, runtime.GOMAXPROCS(0), seedGrowth(0), seedGrowth(1))
}

func (j *judge) variance() {
	lower, seedLower := 0, 0
	var figures []string
	for _, s := range []Spec{twoOfThree, threeOfThree, sixOfSix} {
		if seedRows[s][0].figures[6] < seedRows[s][1].figures[6] {
			seedLower++
		}
		if j.burst[s].deviation*more <= j.rival[s].deviation {
			lower++
		}
		figures = append(figures, fmt.Sprintf("%s: %s against %s", s, us(j.burst[s].deviation), us(j.rival[s].deviation)))
	}
	j.claim(lower >= 2, "Burst's variance is generally lower",
		fmt.Sprintf("its deviation is lower by a factor of %v at least, in most of 2/3, 3/3 and 6/6", more), "%s; in the seed's own table in %d of 3", strings.Join(figures, "; "), seedLower)
	mine, its := j.burst[oneOfThree].deviation, j.rival[oneOfThree].deviation
	j.claim(its*more <= mine, "... with the exception of 1/3",
		fmt.Sprintf("its deviation is higher by a factor of %v at least", more), "%s against %s", us(mine), us(its))
}

func (j *judge) cores() {
	few, many := j.burst[oneOfOne].median, j.burst[sixOfSix].median
	j.claim(many/few > alike, "Latency becomes much worse with more workers than cores (Design)",
		fmt.Sprintf("the median of 6/6 is more than %v times that of 1/1", alike), "%s against %s: %.2f, on %d cores", us(many), us(few), many/few, runtime.GOMAXPROCS(0))
}

// seedGrowth is by how much the seed's medians grow, of burst-pool (0) or spmc (1).
func seedGrowth(row int) float64 {
	return float64(seedRows[sixOfSix][row].figures[2]) / float64(seedRows[threeOfThree][row].figures[2])
}

func us(ns float64) string {
	if ns == 0 {
		return "none"
	}
	return measure.Nanoseconds(ns)
}
