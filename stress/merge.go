package stress

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
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
)

// A ShardReport is what one shard of a campaign came to, read from a file.
type ShardReport struct {
	Path     string
	Campaign Campaign
	Report   Report

	lines []int // of the scenarios, in the file
}

// refuse is an error in a line of the report.
func (r *ShardReport) refuse(line int, problem string) error {
	return &InputError{File: r.Path, Line: line, Column: 1, Problem: problem}
}

// ReadShard reads the report of a shard: what JSONLines has written, or a journal, or the
// folder that holds one. One that did not come to its end is an *InputError, and so
// is whatever else is wrong with it.
func ReadShard(path string) (*ShardReport, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, JournalName)
	}
	data, err := readInput(path, maxJournal)
	if err != nil {
		return nil, err
	}
	if first, _, _ := bytes.Cut(data, []byte("\n")); filepath.Base(path) == JournalName || bytes.Contains(first, []byte(`,"crc":`)) {
		return shardOfJournal(path, data)
	}
	return shardOfLines(path, data)
}

const notAtItsEnd = "the campaign did not come to its end: want it to, with --resume or anew"

func shardOfJournal(path string, data []byte) (*ShardReport, error) {
	j, err := parseJournal(path, data)
	if err != nil {
		return nil, err
	}
	if !j.finished {
		return nil, &InputError{File: path, Problem: notAtItsEnd}
	}
	r := &ShardReport{path,
		Campaign{j.seed, len(j.done), j.head.For, j.head.Executions, j.head.Build, nil, j.shard, setupOf(j.head.Scenarios), 0},
		Report{Seed: j.seed, Scenarios: j.done, Duration: j.elapsed, Shard: j.shard, Samples: j.samples.kept},
		j.lines,
	}
	if problem := r.Campaign.problem(); problem != "" {
		return nil, r.refuse(1, problem)
	}
	for i := range j.done {
		if s, of := &j.done[i], j.head.Scenarios[i]; s.Name != of.Name || s.Sleep != of.Sleep {
			return nil, r.refuse(j.lines[i], fmt.Sprintf("found the scenario %s, want %s", title(s.Name, s.Sleep), title(of.Name, of.Sleep)))
		}
		if problem := r.doubt(i); problem != "" {
			return nil, r.refuse(j.lines[i], problem)
		}
	}
	return r, nil
}

// doubt is what is wrong with the i-th scenario of the report, given those before it, or "".
func (r *ShardReport) doubt(i int) string {
	s := &r.Report.Scenarios[i]
	for j := range r.Report.Scenarios[:i] {
		if before := &r.Report.Scenarios[j]; before.Name == s.Name && before.Sleep == s.Sleep {
			return fmt.Sprintf("found the scenario %s twice", title(s.Name, s.Sleep))
		}
	}
	if i >= r.Campaign.Scenarios {
		return fmt.Sprintf("found one more scenario, want %d", r.Campaign.Scenarios)
	}
	return s.problem(r.Campaign.Seed)
}

func shardOfLines(path string, data []byte) (*ShardReport, error) {
	r := &lineReader{ShardReport: ShardReport{Path: path}}
	for text := range bytes.Lines(data) {
		r.number++
		problem, err := r.take(text)
		if err != nil {
			problem = "not a report: " + err.Error()
		}
		if problem != "" {
			return nil, r.refuse(r.number, problem)
		}
	}
	if !r.ended || len(r.Report.Scenarios) != r.Campaign.Scenarios ||
		slices.ContainsFunc(r.Report.Scenarios, func(s ScenarioReport) bool { return s.Interrupted }) {
		return nil, &InputError{File: path, Problem: notAtItsEnd}
	}
	return &r.ShardReport, nil
}

// A lineReader reads what JSONLines has written.
type lineReader struct {
	ShardReport
	number int          // of the line
	told   *jsonFailure // of the scenario that follows
	ended  bool
}

// take takes in a line, and says what is wrong with it, if anything is.
func (r *lineReader) take(text []byte) (problem string, err error) {
	var l jsonLine
	if err := json.Unmarshal(text, &l); err != nil {
		return "not a report: the line is not JSON as --json writes it", nil
	}
	if l.Schema != SchemaVersion {
		return fmt.Sprintf("a report of version %d, want version %d", l.Schema, SchemaVersion), nil
	}
	if (r.number == 1) != (l.Kind == "campaign") || r.ended {
		return fmt.Sprintf("a line of the kind %q does not belong here", nearest.Clip(l.Kind)), nil
	}
	switch l.Kind {
	case "campaign":
		return "", r.began(text)
	case "failure":
		r.told = &jsonFailure{}
		return "", json.Unmarshal(text, r.told)
	case "scenario":
		if err := r.scenario(text, r.told); err != nil {
			return "", err
		}
		r.lines, r.told = append(r.lines, r.number), nil
		return r.doubt(len(r.Report.Scenarios) - 1), nil
	case "sample":
		var s sampleLine
		if err := cmp.Or(json.Unmarshal(text, &s), inTime(s.Seconds)); err != nil {
			return "", err
		}
		x := s.sample()
		problem = x.problem(r.Report.Samples)
		r.Report.Samples = append(r.Report.Samples, x)
	case "end":
		var e jsonEnd
		if err := cmp.Or(json.Unmarshal(text, &e), inTime(e.Seconds)); err != nil {
			return "", err
		}
		r.Report.Duration = seconds(e.Seconds)
		if r.ended = !e.Interrupted; r.ended {
			problem = r.endProblem(&e)
		}
	}
	return problem, nil
}

func (r *ShardReport) began(text []byte) error {
	var c jsonCampaign
	err := json.Unmarshal(text, &c)
	if err != nil {
		return err
	}
	r.Campaign = Campaign{0, c.Scenarios, seconds(c.ForSeconds), c.Executions,
		Build{c.Version, c.Go, c.OS, c.Arch, c.MaxProcs, c.Race, c.LeakProf}, nil, Shard{}, c.Setup, 0}
	if c.Shard != "" {
		if r.Campaign.Shard, err = ParseShard(c.Shard); err != nil {
			return err
		}
	}
	r.Campaign.Seed, err = strconv.ParseUint(c.Seed, 0, 64)
	r.Report.Seed, r.Report.Shard = r.Campaign.Seed, r.Campaign.Shard
	if err == nil {
		err = inTime(c.ForSeconds)
	}
	if problem := r.Campaign.problem(); err == nil && problem != "" {
		err = errors.New(problem)
	}
	return err
}

// endProblem is what the last line says that the others do not, or "".
func (r *ShardReport) endProblem(e *jsonEnd) string {
	switch {
	case e.Seed != hexSeed(r.Campaign.Seed) || e.Shard != r.Campaign.Shard.String():
		return fmt.Sprintf("found the end of the campaign %s, shard %q, want %s, shard %q", nearest.Clip(e.Seed), nearest.Clip(e.Shard), hexSeed(r.Campaign.Seed), r.Campaign.Shard)
	case len(r.Report.Scenarios) != r.Campaign.Scenarios:
		return "" // notAtItsEnd
	case e.Scenarios != r.Campaign.Scenarios || e.Failed != r.Report.Failed() || e.Open != r.Report.open():
		return fmt.Sprintf("found %d scenarios, %d failed and %d open, want %d, %d and %d, which stand above", e.Scenarios, e.Failed, e.Open,
			r.Campaign.Scenarios, r.Report.Failed(), r.Report.open())
	}
	return ""
}

// inTime refuses seconds that no campaign takes, or fewer than none.
func inTime(s float64) error {
	if s < 0 || s > math.MaxInt64/float64(time.Second)/mostShards {
		return fmt.Errorf("found %g seconds, want 0 or more, and no more than a campaign takes", s)
	}
	return nil
}

func (r *ShardReport) scenario(text []byte, told *jsonFailure) error {
	var l jsonScenario
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	s := ScenarioReport{
		Name: l.Name, Sleep: l.Sleep, Verdict: l.Verdict, Expect: l.Expect, May: l.May, Why: l.Why, AsExpected: l.AsExpected, Open: l.Open,
		Detail: l.Detail, Executions: l.Executions, Budget: l.Budget, Steps: l.Steps, Timers: l.Timers, Complete: l.Complete, Bounded: l.Bounded, Duration: seconds(l.Seconds),
		Recording: l.Recording, Shrunk: l.Shrunk, Beside: l.Beside, Interrupted: l.Interrupted, Took: l.Took,
	}
	if err := inTime(l.Seconds); err != nil {
		return err
	}
	switch l.Mode {
	case Control.String():
		s.Mode = Control
	case Native.String():
	default:
		return fmt.Errorf("found the mode %q, want %s or %s", nearest.Clip(l.Mode), Native, Control)
	}
	for _, f := range l.Faults {
		if f.Odds < 0 || f.Odds > 1 {
			return fmt.Errorf("scenario %s: found odds of %v for %s at %s, want a probability", nearest.Clip(l.Name), f.Odds, f.Fault, f.At)
		}
		s.Faults = append(s.Faults, FaultCount{At: f.At, Kind: f.Fault, Hits: f.Hits, Fires: f.Fires, Expired: f.Expired})
		s.Odds = append(s.Odds, f.Odds)
	}
	for _, p := range l.Points {
		s.Points = append(s.Points, PointCount(p))
	}
	if c := l.Conviction; c != nil {
		seed, err := strconv.ParseUint(c.Seed, 0, 64)
		if err != nil {
			return err
		}
		s.Conviction = &Result{Execution: c.Execution, Seed: seed, Workers: c.Workers, Verdict: c.Verdict, Summary: l.Summary}
		if told != nil {
			s.Conviction.Explanation = told.Explanation
		}
	}
	r.Report.Scenarios = append(r.Report.Scenarios, s)
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Merge makes one report of those of all shards of a campaign. Of the convictions of a
// scenario it has one that was not to be, if there is one, and of these the one with the
// lowest number. Durations of scenarios are added up, that of the campaign is the longest. If a
// shard is missing or doubled, or is of another campaign, it returns an *InputError.
func Merge(shards []*ShardReport) (Campaign, Report, error) {
	if err := complete(shards); err != nil {
		return Campaign{}, Report{}, err
	}
	first := shards[0]
	c := first.Campaign
	c.Shard, c.Merged = Shard{}, len(shards)
	report := Report{Seed: c.Seed}
	for i := range first.Report.Scenarios {
		var parts []*ScenarioReport
		for _, s := range shards {
			parts = append(parts, &s.Report.Scenarios[i])
		}
		report.Scenarios = append(report.Scenarios, mergeScenario(parts))
	}
	for _, s := range shards {
		report.Duration = max(report.Duration, s.Report.Duration)
	}
	return c, report, nil
}

// complete says what keeps the shards from being one campaign.
func complete(shards []*ShardReport) error {
	seen := map[int]string{}
	for _, s := range shards {
		refuse := func(format string, args ...any) error {
			return &InputError{File: s.Path, Problem: fmt.Sprintf(format, args...)}
		}
		first, c := shards[0], s.Campaign
		switch {
		case c.Shard.Of == 0:
			return refuse("the report of a whole campaign, want those of shards")
		case c.Seed != first.Campaign.Seed:
			return refuse("the seed is %#x, and that of %s %#x: want shards of one campaign", c.Seed, first.Path, first.Campaign.Seed)
		case c.Shard.Of != first.Campaign.Shard.Of:
			return refuse("it is shard %s, and %s is %s: want shards of one campaign", c.Shard, first.Path, first.Campaign.Shard)
		case c.Setup != first.Campaign.Setup || len(s.Report.Scenarios) != len(first.Report.Scenarios):
			return refuse("its scenarios are not those of %s: want shards of one campaign", first.Path)
		case c.For != first.Campaign.For || c.Executions != first.Campaign.Executions:
			return refuse("its --for or --executions is not that of %s: want shards of one campaign", first.Path)
		case c.Build.Version != first.Campaign.Build.Version:
			return refuse("it is of rouse %s, and %s of %s: want shards of one campaign", c.Build.Version, first.Path, first.Campaign.Build.Version)
		}
		for i := range s.Report.Scenarios {
			if what := s.Report.Scenarios[i].differs(&first.Report.Scenarios[i]); what != "" {
				return s.refuse(s.lines[i], fmt.Sprintf("%s, as in %s:%d: want shards of one campaign", what, first.Path, first.lines[i]))
			}
		}
		if other, ok := seen[c.Shard.Index]; ok {
			return refuse("shard %s is doubled: %s is it, too", c.Shard, other)
		}
		seen[c.Shard.Index] = s.Path
	}
	var missing []string
	of := shards[0].Campaign.Shard.Of
	for i := range of {
		if _, ok := seen[i]; !ok && len(missing) < 10 {
			missing = append(missing, Shard{i, of}.String())
		}
	}
	if n := of - len(seen); n > 0 {
		if n > len(missing) {
			missing = append(missing, "...")
		}
		return &InputError{File: shards[0].Path, Problem: fmt.Sprintf("%s of its campaign missing: %s", plural(n, "shard"), strings.Join(missing, ", "))}
	}
	return nil
}

// mergeScenario sums up what the shards found of one scenario.
func mergeScenario(parts []*ScenarioReport) ScenarioReport {
	a := parts[0]
	t := &tally{
		scenario: &Scenario{Name: a.Name, Pool: PoolSpec{Sleep: a.Sleep}, Mode: a.Mode, Expect: a.Expect, May: a.May, Why: a.Why, Executions: a.Budget},
		points:   map[string]uint64{}, merged: true,
	}
	for _, f := range a.Faults {
		t.faults, t.mergedOdds = append(t.faults, FaultCount{At: f.At, Kind: f.Kind}), append(t.mergedOdds, 1)
	}
	var found *ScenarioReport
	var took time.Duration
	for _, s := range parts {
		t.executions, t.steps, t.timers = t.executions+s.Executions, t.steps+s.Steps, t.timers+s.Timers
		if s.Complete || s.Bounded != "" {
			t.complete, t.bounded = true, s.Bounded
		}
		took += s.Duration
		t.took.Merge(&s.Took)
		for _, p := range s.Points {
			t.points[p.Point] += p.Hits
		}
		addCounts(t.faults, s.Faults)
		for i := range min(len(s.Odds), len(t.mergedOdds)) {
			t.mergedOdds[i] *= s.Odds[i]
		}
		if s.Conviction != nil && (found == nil || s.graver(found)) {
			found = s
		}
	}
	if found != nil {
		t.conviction, t.recording, t.shrunk, t.decided = found.Conviction, found.Recording, found.Shrunk, found.settled()
	}
	s := t.report(true)
	if s.Beside = nil; found != nil {
		s.Beside = found.Beside // wherever that was
	}
	s.Duration = took
	return s
}

// settled reports whether the shard's conviction has decided its verdict.
func (s *ScenarioReport) settled() bool { return !s.Open && s.Verdict == s.Conviction.Verdict }

// graver reports whether the conviction is to be told rather than the other one.
func (s *ScenarioReport) graver(than *ScenarioReport) bool {
	rank := func(s *ScenarioReport) int {
		switch {
		case !s.settled():
			return 2
		case s.AsExpected:
			return 1
		}
		return 0
	}
	if a, b := rank(s), rank(than); a != b {
		return a < b
	}
	if !s.settled() { // one campaign would have gone on to the last
		return s.Conviction.Execution > than.Conviction.Execution
	}
	return s.Conviction.Execution < than.Conviction.Execution
}
