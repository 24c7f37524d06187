package report

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A CampaignLine is the line "campaign".
type CampaignLine struct {
	Line
	Seed       string       `json:"seed"`
	Scenarios  int          `json:"scenarios"`
	ForSeconds float64      `json:"for_seconds,omitempty"`
	Executions int          `json:"executions,omitempty"`
	Version    string       `json:"version"`
	Go         string       `json:"go"`
	OS         string       `json:"os"`
	Arch       string       `json:"arch"`
	MaxProcs   int          `json:"maxprocs"`
	Race       bool         `json:"race"`
	LeakProf   bool         `json:"leak_profile"`
	Time       string       `json:"time"`
	Resumed    *resumedLine `json:"resumed,omitempty"`
	Shard      string       `json:"shard,omitempty"`
	Setup      string       `json:"setup"`
	Merged     int          `json:"merged,omitempty"`
}

// A ScenarioLine is the line "scenario".
type ScenarioLine struct {
	Line
	Name        string             `json:"name"`
	Mode        string             `json:"mode"`
	Variant     string             `json:"variant,omitempty"`
	Verdict     verdict.Verdict    `json:"verdict"`
	Expect      verdict.Verdict    `json:"expect"`
	May         []verdict.Verdict  `json:"may,omitempty"`
	Why         string             `json:"why,omitempty"`
	AsExpected  bool               `json:"as_expected"`
	Interrupted bool               `json:"interrupted"`
	Open        bool               `json:"open,omitempty"`
	Detail      string             `json:"detail,omitempty"`
	Summary     string             `json:"summary,omitempty"`
	Executions  int                `json:"executions"`
	Budget      int                `json:"budget,omitempty"` // limit of executions
	Steps       uint64             `json:"steps,omitempty"`
	Timers      uint64             `json:"timers,omitempty"` // armed, of which none could fire while a task could run
	Complete    bool               `json:"complete,omitempty"`
	Bounded     string             `json:"bounded,omitempty"`
	Seconds     float64            `json:"seconds"`
	Took        outcome.Latencies  `json:"took_us,omitzero"`
	Recording   string             `json:"recording,omitempty"`
	Page        string             `json:"page,omitempty"` // file of HTML
	Shrunk      string             `json:"shrunk,omitempty"`
	Search      *outcome.Search    `json:"search,omitempty"`   // under control, for a native failure
	Sidecars    []string           `json:"sidecars,omitempty"` // files of a hang or a crash
	Faults      []jsonFault        `json:"faults"`
	Points      []jsonPoint        `json:"points"`
	Failure     *failedExecution   `json:"failure,omitempty"` // the last one, expected or not
	Index       int                `json:"index"`             // in the order of the campaign, from 0
	Orders      *orders.Summary    `json:"orders,omitempty"`
	Evidence    *evidence.Evidence `json:"evidence,omitempty"`
}

// A failedExecution is an execution that failed, expected or not.
type failedExecution struct {
	Execution int             `json:"execution"`
	Seed      string          `json:"seed"`
	Setting   string          `json:"setting,omitempty"`
	Verdict   verdict.Verdict `json:"verdict"`
}

// A FailureLine is the line "failure".
type FailureLine struct {
	Line
	Name    string `json:"name"`
	Variant string `json:"variant,omitempty"`
	failedExecution
	Expect      verdict.Verdict `json:"expect"`
	Summary     string          `json:"summary"`
	Explanation []string        `json:"explanation"`
	Recording   string          `json:"recording,omitempty"`
	Page        string          `json:"page,omitempty"`
}

// An EndLine is the line "end".
type EndLine struct {
	Line
	Seed        string  `json:"seed"`
	AsExpected  bool    `json:"as_expected"`
	Interrupted bool    `json:"interrupted"`
	Scenarios   int     `json:"scenarios"`
	Failed      int     `json:"failed"`
	Seconds     float64 `json:"seconds"`
	Shard       string  `json:"shard,omitempty"`
	Open        int     `json:"open,omitempty"`
}

func (c *Campaign) lines() []any {
	return []any{CampaignLine{kind("campaign"), HexSeed(c.Seed), c.Scenarios, c.For.Seconds(), c.Executions, c.Build.Version, c.Build.Go,
		c.Build.OS, c.Build.Arch, c.Build.MaxProcs, c.Build.Race, c.Build.LeakProfile, now(), newResumedLine(c.Resumed), c.Shard.String(), c.Setup, c.Merged}}
}

// A resumedLine is the part of the line "campaign" about where it resumes.
type resumedLine struct {
	Journal    string  `json:"journal"`
	Seconds    float64 `json:"seconds"`
	Scenarios  int     `json:"scenarios"`
	Scenario   string  `json:"scenario,omitempty"`
	Executions int     `json:"executions,omitempty"`
	Again      []int   `json:"again,omitempty"`
}

func newResumedLine(r *Resumed) *resumedLine {
	if r == nil {
		return nil
	}
	return &resumedLine{r.Journal, r.Elapsed.Seconds(), r.Done, r.Scenario, r.Executions, r.Again}
}

// A SampleLine is the line "sample". Samples come before the end.
type SampleLine struct {
	Line
	Seconds    float64 `json:"seconds"`
	Executions int     `json:"executions"`
	Memory     uint64  `json:"memory_bytes"`
	Live       uint64  `json:"live_bytes"`
}

// Sample returns the sample in the line.
func (l *SampleLine) Sample() Sample {
	return Sample{Seconds(l.Seconds), l.Executions, l.Memory, l.Live}
}

type jsonPoint struct {
	Point string `json:"point"`
	Hits  uint64 `json:"hits"`
}

type jsonFault struct {
	At    string `json:"at"`
	Fault string `json:"fault"`
	Hits  uint64 `json:"hits"`
	Fires uint64 `json:"fires"`
	// Expired is how many of a hold's fires ended by its limit instead of the point it waited for.
	Expired uint64 `json:"expired,omitempty"`
	// Odds is the probability that a fault that has not fired would not fire; 0 for one that has fired.
	Odds float64 `json:"odds,omitempty"`
}

// lines returns the line "scenario". If an execution failed that was expected to pass, or failed with an unexpected
// verdict, the line "failure" is before it.
func (s *ScenarioReport) lines() (all []any) {
	summary := ""
	var failed *failedExecution
	if r := s.Failure; r != nil {
		summary, failed = r.Summary, &failedExecution{r.Execution, HexSeed(r.Seed), r.Setting, r.Verdict}
		if !s.AsExpected && !s.Open {
			all = append(all, FailureLine{kind("failure"), s.Name, s.Variant, *failed, s.Expect, summary, append([]string{}, r.Explanation...), s.Recording, s.HTML})
		}
	}
	points, faults := []jsonPoint{}, []jsonFault{}
	for _, p := range s.Points {
		points = append(points, jsonPoint(p))
	}
	for i, f := range s.Faults {
		odds := 0.0
		if s.Odds != nil {
			odds = s.Odds[i]
		}
		faults = append(faults, jsonFault{f.At, f.Kind, f.Hits, f.Fires, f.Expired, odds})
	}
	return append(all, ScenarioLine{kind("scenario"), s.Name, s.Mode.String(), s.Variant, s.Verdict, s.Expect, s.May, s.Why, s.AsExpected, s.Interrupted, s.Open, s.Detail, summary, s.Executions, s.Budget, s.Steps, s.Timers, s.Complete, s.Bounded,
		s.Duration.Seconds(), s.Took, s.Recording, s.HTML, s.Shrunk, s.Search, s.Sidecars, faults, points, failed, s.Index, s.Orders, s.Evidence})
}

// lines returns the samples and the line "end": a report without it is incomplete. A campaign that did not run all its
// scenarios is not as expected.
func (r *Report) lines() (all []any) {
	for _, s := range r.Samples {
		all = append(all, SampleLine{kind("sample"), s.Elapsed.Seconds(), s.Executions, s.Memory, s.Live})
	}
	asExpected := r.AsExpected() && !r.Interrupted && r.Trouble == "" && len(r.Scenarios) == r.Campaign.Scenarios &&
		!slices.ContainsFunc(r.Scenarios, func(s ScenarioReport) bool { return s.Interrupted })
	return append(all, EndLine{kind("end"), HexSeed(r.Campaign.Seed), asExpected, r.Interrupted, len(r.Scenarios), r.Failed(), r.Duration.Seconds(),
		r.Campaign.Shard.String(), r.Open()})
}
