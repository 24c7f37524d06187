package campaign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A ShardReport is the report of one shard of a campaign, read from a file.
type ShardReport struct {
	Path string
	report.Report

	lines []int // line numbers of the scenarios in the file
}

// refuse returns the error for a line of the report.
func (r *ShardReport) refuse(line int, problem string) error {
	return &scenario.InputError{File: r.Path, Line: line, Column: 1, Problem: problem}
}

// ReadShard reads the report of a shard: a file of report.JSONLines, or a journal, or the folder with
// the journal. If the shard did not end, or the file is damaged, the error is an *InputError.
func ReadShard(path string) (*ShardReport, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, JournalName)
	}
	data, err := scenario.ReadInput(path, scenario.MaxJournal)
	if err != nil {
		return nil, err
	}
	if first, _, _ := bytes.Cut(data, []byte("\n")); filepath.Base(path) == JournalName || bytes.Contains(first, []byte(`,"crc":`)) {
		return shardOfJournal(path, data)
	}
	return shardOfLines(path, data)
}

const notAtItsEnd = "the campaign has not ended: want one that has, continue it with --resume"

func shardOfJournal(path string, data []byte) (*ShardReport, error) {
	j, err := parseJournal(path, data)
	if err != nil {
		return nil, err
	}
	if !j.finished {
		return nil, &scenario.InputError{File: path, Problem: notAtItsEnd}
	}
	done := j.reports()
	r := &ShardReport{path, report.Report{
		Campaign: report.Campaign{
			Seed: j.seed, Scenarios: len(done), For: j.head.For, Executions: j.head.Executions, Build: j.head.Build,
			Shard: j.shard, Setup: setupOf(j.head.Scenarios),
		},
		Scenarios: done, Duration: j.elapsed, Samples: j.samples.Kept,
	}, j.lines}
	if problem := campaignProblem(&r.Campaign); problem != "" {
		return nil, r.refuse(1, problem)
	}
	for i := range done {
		if s, of := &done[i], j.head.Scenarios[i]; s.Name != of.Name || s.Variant != of.Variant {
			return nil, r.refuse(j.lines[i], fmt.Sprintf("found the scenario %s, want %s", scenario.Title(s.Name, s.Variant), scenario.Title(of.Name, of.Variant)))
		}
		if problem := r.checkScenario(i); problem != "" {
			return nil, r.refuse(j.lines[i], problem)
		}
	}
	return r, nil
}

// checkScenario returns what is wrong with the i-th scenario of the report, given those before it, or "".
func (r *ShardReport) checkScenario(i int) string {
	s := &r.Scenarios[i]
	for j := range r.Scenarios[:i] {
		if before := &r.Scenarios[j]; before.Name == s.Name && before.Variant == s.Variant {
			return fmt.Sprintf("found the scenario %s twice", scenario.Title(s.Name, s.Variant))
		}
	}
	if i >= r.Campaign.Scenarios {
		return fmt.Sprintf("found one more scenario, want %d", r.Campaign.Scenarios)
	}
	return scenarioProblem(s, r.Campaign.Seed)
}

func shardOfLines(path string, data []byte) (*ShardReport, error) {
	r := &lineReader{ShardReport: ShardReport{Path: path}}
	for text := range bytes.Lines(data) {
		r.number++
		problem, err := r.addLine(text)
		if err != nil {
			problem = "not a report: " + err.Error()
		}
		if problem != "" {
			return nil, r.refuse(r.number, problem)
		}
	}
	if !r.ended || len(r.Scenarios) != r.Campaign.Scenarios ||
		slices.ContainsFunc(r.Scenarios, func(s report.ScenarioReport) bool { return s.Interrupted }) {
		return nil, &scenario.InputError{File: path, Problem: notAtItsEnd}
	}
	r.sort()
	return &r.ShardReport, nil
}

// sort sorts the scenarios, which are in the order in which they ended, by the order of the campaign.
func (r *lineReader) sort() {
	type numbered struct {
		report.ScenarioReport
		line int
	}
	var all []numbered
	for i, s := range r.Scenarios {
		all = append(all, numbered{s, r.lines[i]})
	}
	slices.SortStableFunc(all, func(a, b numbered) int { return cmp.Compare(a.Index, b.Index) })
	for i, s := range all {
		r.Scenarios[i], r.lines[i] = s.ScenarioReport, s.line
	}
}

// A lineReader reads a file of report.JSONLines.
type lineReader struct {
	ShardReport
	number  int                 // line number
	failure *report.FailureLine // of the scenario that follows
	ended   bool
}

// addLine adds a line, and returns what is wrong with it, or "".
func (r *lineReader) addLine(text []byte) (problem string, err error) {
	var l report.Line
	if err := json.Unmarshal(text, &l); err != nil {
		return "not a report: the line is not JSON as --json writes it", nil
	}
	if l.Schema != report.SchemaVersion {
		return fmt.Sprintf("a report of version %d, want version %d", l.Schema, report.SchemaVersion), nil
	}
	if (r.number == 1) != (l.Kind == "campaign") || r.ended {
		return fmt.Sprintf("a line of the kind %q does not belong here", nearest.Clip(l.Kind)), nil
	}
	switch l.Kind {
	case "campaign":
		return "", r.began(text)
	case "failure":
		r.failure = &report.FailureLine{}
		return "", json.Unmarshal(text, r.failure)
	case "scenario":
		if err := r.scenario(text, r.failure); err != nil {
			return "", err
		}
		r.lines, r.failure = append(r.lines, r.number), nil
		return r.checkScenario(len(r.Scenarios) - 1), nil
	case "sample":
		var s report.SampleLine
		if err := cmp.Or(json.Unmarshal(text, &s), inTime(s.Seconds)); err != nil {
			return "", err
		}
		x := s.Sample()
		problem = sampleProblem(&x, r.Samples)
		r.Samples = append(r.Samples, x)
	case "end":
		var e report.EndLine
		if err := cmp.Or(json.Unmarshal(text, &e), inTime(e.Seconds)); err != nil {
			return "", err
		}
		r.Duration = report.Seconds(e.Seconds)
		if r.ended = !e.Interrupted; r.ended {
			problem = r.endProblem(&e)
		}
	}
	return problem, nil
}

func (r *ShardReport) began(text []byte) error {
	var c report.CampaignLine
	err := json.Unmarshal(text, &c)
	if err != nil {
		return err
	}
	r.Campaign = report.Campaign{
		Scenarios: c.Scenarios, For: report.Seconds(c.ForSeconds), Executions: c.Executions, Setup: c.Setup,
		Build: outcome.Build{Version: c.Version, Go: c.Go, OS: c.OS, Arch: c.Arch, MaxProcs: c.MaxProcs, Race: c.Race, LeakProfile: c.LeakProf},
	}
	if c.Shard != "" {
		if r.Campaign.Shard, err = scenario.ParseShard(c.Shard); err != nil {
			return err
		}
	}
	r.Campaign.Seed, err = strconv.ParseUint(c.Seed, 0, 64)
	if err == nil {
		err = inTime(c.ForSeconds)
	}
	if problem := campaignProblem(&r.Campaign); err == nil && problem != "" {
		err = errors.New(problem)
	}
	return err
}

// endProblem returns how the last line contradicts the others, or "".
func (r *ShardReport) endProblem(e *report.EndLine) string {
	switch {
	case e.Seed != report.HexSeed(r.Campaign.Seed) || e.Shard != r.Campaign.Shard.String():
		return fmt.Sprintf("found the end of the campaign %s, shard %q, want %s, shard %q", nearest.Clip(e.Seed), nearest.Clip(e.Shard), report.HexSeed(r.Campaign.Seed), r.Campaign.Shard)
	case len(r.Scenarios) != r.Campaign.Scenarios:
		return "" // notAtItsEnd
	case e.Scenarios != r.Campaign.Scenarios || e.Failed != r.Failed() || e.Open != r.Open():
		return fmt.Sprintf("found %d scenarios, %d failed and %d open, want %d, %d and %d, which stand above", e.Scenarios, e.Failed, e.Open,
			r.Campaign.Scenarios, r.Failed(), r.Open())
	}
	return ""
}

// inTime returns an error for a number of seconds that is negative or more than a campaign can take.
func inTime(s float64) error {
	if s < 0 || s > math.MaxInt64/float64(time.Second)/scenario.MostShards {
		return fmt.Errorf("found %g seconds, want 0 or more, and no more than a campaign takes", s)
	}
	return nil
}

func (r *ShardReport) scenario(text []byte, failure *report.FailureLine) error {
	var l report.ScenarioLine
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	s := report.ScenarioReport{
		Name: l.Name, Variant: l.Variant, Verdict: l.Verdict, Expect: l.Expect, May: l.May, Why: l.Why, AsExpected: l.AsExpected, Open: l.Open,
		Detail: l.Detail, Executions: l.Executions, Budget: l.Budget, Steps: l.Steps, Timers: l.Timers, Complete: l.Complete, Bounded: l.Bounded, Duration: report.Seconds(l.Seconds),
		Index: l.Index, Orders: l.Orders, Evidence: l.Evidence, Recording: l.Recording, Shrunk: l.Shrunk, Search: l.Search, Sidecars: l.Sidecars, Interrupted: l.Interrupted, Took: l.Took,
	}
	if err := inTime(l.Seconds); err != nil {
		return err
	}
	switch l.Mode {
	case scenario.Control.String():
		s.Mode = scenario.Control
	case scenario.Native.String():
	default:
		return fmt.Errorf("found the mode %q, want %s or %s", nearest.Clip(l.Mode), scenario.Native, scenario.Control)
	}
	for _, f := range l.Faults {
		if f.Odds < 0 || f.Odds > 1 {
			return fmt.Errorf("scenario %s: found odds of %v for %s at %s, want a probability", nearest.Clip(l.Name), f.Odds, f.Fault, f.At)
		}
		s.Faults = append(s.Faults, outcome.FaultCount{At: f.At, Kind: f.Fault, Hits: f.Hits, Fires: f.Fires, Expired: f.Expired})
		s.Odds = append(s.Odds, f.Odds)
	}
	for _, p := range l.Points {
		s.Points = append(s.Points, outcome.PointCount(p))
	}
	if c := l.Failure; c != nil {
		seed, err := strconv.ParseUint(c.Seed, 0, 64)
		if err != nil {
			return err
		}
		s.Failure = &outcome.Result{Execution: c.Execution, Seed: seed, Setting: c.Setting, Verdict: c.Verdict, Summary: l.Summary}
		if failure != nil {
			s.Failure.Explanation = failure.Explanation
		}
	}
	r.Scenarios = append(r.Scenarios, s)
	return nil
}
