package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/scenario"
)

// figures holds the numbers in the reports for people.
type figures struct {
	*Report
	executions int
	native     outcome.Latencies // of native executions
	controlled outcome.Latencies
	faults     []outcome.FaultCount // over all scenarios, by name
	failures   []*ScenarioReport
}

func newFigures(r *Report) *figures {
	f := &figures{Report: r}
	byName := map[outcome.FaultCount]outcome.FaultCount{}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		f.executions += s.Executions
		if s.Mode == scenario.Control {
			f.controlled.Merge(&s.Took)
		} else {
			f.native.Merge(&s.Took)
		}
		for _, n := range s.Faults {
			name := outcome.FaultCount{At: n.At, Kind: n.Kind}
			sum := byName[name]
			sum.At, sum.Kind, sum.Hits, sum.Fires = n.At, n.Kind, sum.Hits+n.Hits, sum.Fires+n.Fires
			byName[name] = sum
		}
		if s.Failed() {
			f.failures = append(f.failures, s)
		}
	}
	for _, n := range byName {
		f.faults = append(f.faults, n)
	}
	slices.SortFunc(f.faults, func(a, b outcome.FaultCount) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind)) })
	return f
}

// facts returns the table at the top of a report: name and value.
func (f *figures) facts() (facts [][2]string) {
	add := func(name, value string) { facts = append(facts, [2]string{name, value}) }
	c := &f.Campaign
	add("seed", HexSeed(c.Seed))
	if c.For > 0 {
		add("asked for", c.For.String())
	} else if c.Executions > 0 {
		add("asked for", prose.Plural(c.Executions, "execution")+" of each scenario")
	}
	add("took", f.Duration.Round(100*time.Millisecond).String())
	add("executions", evidence.Thousands(uint64(f.executions)))
	if text := f.newOrders(); text != "" {
		add("new orders", text)
	}
	if c.Shard.Of > 0 {
		add("shard", c.Shard.String())
	}
	if c.Merged > 0 {
		add("merged from", prose.Plural(c.Merged, "shard"))
	}
	if c.Resumed != nil {
		add("resumed", c.Resumed.String())
	}
	add("build", c.Build.String())
	return facts
}

// rates returns the executions a second between samples.
func (f *figures) rates() (at, rate []float64) {
	unit, _ := timeUnit(f.Duration)
	for i := 1; i < len(f.Samples); i++ {
		a, b := f.Samples[i-1], f.Samples[i]
		if d := b.Elapsed - a.Elapsed; d > 0 && b.Executions >= a.Executions {
			at = append(at, float64(b.Elapsed)/float64(unit))
			rate = append(rate, float64(b.Executions-a.Executions)/d.Seconds())
		}
	}
	return at, rate
}

// timeUnit returns the unit of a time axis of that length.
func timeUnit(d time.Duration) (time.Duration, string) {
	switch {
	case d > 3*time.Hour:
		return time.Hour, "hours"
	case d > 3*time.Minute:
		return time.Minute, "minutes"
	}
	return time.Second, "seconds"
}

const mib = 1 << 20

// memory returns the memory of the campaign's process at each sample, in MiB.
func (f *figures) memory() (at, held, live []float64) {
	unit, _ := timeUnit(f.Duration)
	for _, s := range f.Samples {
		at = append(at, float64(s.Elapsed)/float64(unit))
		held, live = append(held, float64(s.Memory)/mib), append(live, float64(s.Live)/mib)
	}
	return at, held, live
}

// memorySpan returns a line on the memory over time. It skips the first quarter of the time, when little has been done.
func (f *figures) memorySpan() string {
	if len(f.Samples) == 0 {
		return ""
	}
	peak := uint64(0)
	for _, s := range f.Samples {
		peak = max(peak, s.Memory)
	}
	quarter, last := f.Samples[len(f.Samples)/4], f.Samples[len(f.Samples)-1]
	return fmt.Sprintf("%s MiB after a quarter of the time, %s MiB at the end, %s MiB at most", inMiB(quarter.Memory), inMiB(last.Memory), inMiB(peak))
}

func inMiB(bytes uint64) string { return strconv.FormatFloat(float64(bytes)/mib, 'f', 1, 64) }

// A latencyBin counts executions that took at least From and less than To, a fifth of a decade more.
type latencyBin struct {
	From, To time.Duration
	N        int64
}

// binsOf returns a histogram without gaps.
func binsOf(l *outcome.Latencies) (bins []latencyBin) {
	const perDecade = 5
	edge := func(i int) time.Duration {
		return time.Duration(math.Round(math.Pow(10, float64(i)/perDecade))) * outcome.LatencyUnit
	}
	first := 0
	for took, n := range l.Each {
		i := int(math.Floor(math.Log10(float64(took/outcome.LatencyUnit))*perDecade + 1e-9))
		if bins == nil {
			first = i
		}
		for first+len(bins) <= i {
			at := first + len(bins)
			bins = append(bins, latencyBin{edge(at), edge(at + 1), 0})
		}
		bins[i-first].N += n
	}
	return bins
}

// quantiles returns a line on how long executions took.
func quantiles(l *outcome.Latencies) string {
	return fmt.Sprintf("median %v, 99 of 100 within %v, the longest %v", round(l.Quantile(0.5)), round(l.Quantile(0.99)), round(l.Quantile(1)))
}

// round leaves two or three digits.
func round(d time.Duration) time.Duration {
	for unit := time.Duration(1); unit < time.Hour; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
	return d
}

// rate returns the rate of a scenario, in executions a second.
func (s *ScenarioReport) rate() float64 {
	if s.Duration <= 0 {
		return 0
	}
	return float64(s.Executions) / s.Duration.Seconds()
}

// short formats a number with three digits, or as a whole number.
func short(v float64) string {
	if v >= 100 {
		return evidence.Thousands(uint64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
