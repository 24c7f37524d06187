package stress

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A ReplayReport says what became of the tries to repeat an execution.
type ReplayReport struct {
	Recording *Recording
	Tries     []Result // those that came to an end, in order
}

// Again counts the tries that failed with the recorded verdict.
func (r *ReplayReport) Again() (n int) {
	for _, t := range r.Tries {
		if t.Verdict == r.Recording.Result.Verdict {
			n++
		}
	}
	return n
}

// unreached lists the faults that fired in the recorded execution, and whose points no try
// has come to.
func (r *ReplayReport) unreached() (faults []FaultCount) {
	for i, f := range r.Recording.Result.Faults {
		reached := f.Fires == 0 || slices.ContainsFunc(r.Tries, func(t Result) bool {
			return i >= len(t.Faults) || t.Faults[i].Hits > 0 // one that did not live to count may have come there
		})
		if !reached {
			faults = append(faults, f)
		}
	}
	return faults
}

// String says how many tries failed again, and what became of the others.
func (r *ReplayReport) String() string {
	s := fmt.Sprintf("%d of %d tries failed again with verdict %s", r.Again(), len(r.Tries), r.Recording.Result.Verdict)
	var others []string
	for _, v := range Verdicts() {
		if v == r.Recording.Result.Verdict {
			continue
		}
		n := 0
		for _, t := range r.Tries {
			if t.Verdict == v {
				n++
			}
		}
		if n > 0 {
			others = append(others, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(others) > 0 {
		s += " (" + strings.Join(others, ", ") + ")"
	}
	return s
}

// Replay runs the recorded execution again, each time in a child process of its
// own, with the recorded seed and GOMAXPROCS, and calls each, if it is not nil,
// after every try. The seed brings back the workload and what the plan draws at
// every visit; the interleaving is the machine's, so a failure need not come
// back.
//
// The program must call ChildMain first thing in main. If ctx is done, Replay
// returns what was tried until then and context.Cause(ctx).
func Replay(ctx context.Context, rec *Recording, times int, each func(Result)) (ReplayReport, error) {
	report := ReplayReport{Recording: rec}
	if os.Getenv(childEnv) != "" {
		return report, errNoChildMain
	}
	l := launcher{maxProcs: rec.Build.MaxProcs}
	for range times {
		r, err := l.try(ctx, rec)
		if err != nil {
			return report, err
		}
		report.Tries = append(report.Tries, r)
		if each != nil {
			each(r)
		}
	}
	return report, nil
}

// try runs the recorded execution once.
func (l launcher) try(ctx context.Context, rec *Recording) (Result, error) {
	if err := context.Cause(ctx); err != nil {
		return Result{}, err
	}
	var got *Result
	end, err := l.run(ctx, request{
		Scenario: rec.Scenario, CampaignSeed: rec.CampaignSeed, First: rec.Result.Execution, Most: 1,
	}, func(m *message) error {
		if m.Result != nil {
			got = m.Result
		}
		return nil
	}, func() {})
	if err == nil && got == nil {
		got, err = end.judge(l.childTimeout())
	}
	switch {
	case err != nil:
		return Result{}, err
	case got == nil:
		return Result{}, fmt.Errorf("a child process ended without a result")
	}
	return *got, nil
}
