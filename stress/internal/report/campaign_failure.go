package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/stress/scenario"
)

// problem describes a failure in one line.
func (s *ScenarioReport) problem() string {
	text := fmt.Sprintf("%s, expected %s", s.Verdict, scenario.Alternatives(s.Expect, s.May))
	switch {
	case s.Failure != nil:
		text += ": " + s.Failure.Summary
	case s.Detail != "":
		text += ": " + s.Detail
	}
	return text
}

// details returns lines that describe a failure, with the command that repeats it.
func (s *ScenarioReport) details(replay []string) (lines []string) {
	if s.Detail != "" {
		lines = append(lines, s.Detail)
	}
	if r := s.Failure; r != nil {
		lines = append(lines, nameOf(r)+": "+r.Summary)
		lines = append(lines, r.Explanation...)
	}
	if s.Search != nil {
		lines = append(lines, s.Search.String())
	}
	for _, f := range s.files() {
		lines = append(lines, "recorded in "+f)
	}
	if again := s.ToReplay(); again != "" {
		lines = append(lines, "again with "+replayCommand(replay, again))
	}
	if page := s.line(); page != "" {
		lines = append(lines, page)
	}
	return lines
}

// files returns the recordings of a scenario and their sidecars.
func (s *ScenarioReport) files() []string {
	files := append([]string{s.Recording, s.Shrunk, s.found()}, s.Sidecars...)
	return slices.DeleteFunc(files, func(f string) bool { return f == "" })
}

// ToReplay returns the recording that the replay command names.
func (s *ScenarioReport) ToReplay() string { return cmp.Or(s.Shrunk, s.found(), s.Recording) }

// found returns the recording that a search under control has found, or "" if there is none.
func (s *ScenarioReport) found() string {
	if s.Search == nil {
		return ""
	}
	return s.Search.Recording
}

// status returns a word for the result of a scenario, and its verdict.
func (s *ScenarioReport) status() (word, verdict string) {
	switch {
	case s.Interrupted:
		return "interrupted", ""
	case s.Open:
		return "open", string(s.Verdict)
	case !s.AsExpected:
		return "FAIL", string(s.Verdict)
	}
	return "ok", string(s.Verdict)
}

// junit returns a document with one suite, in the classes stress.native and stress.control. A scenario that is open or
// was interrupted is skipped. If the tool failed during a scenario, that is an error; if it failed between two, the
// campaign is a case of its own, with an error.
func (r *Report) junit(p Page) *junitSuites {
	c := &r.Campaign
	all := newJUnit("stress", r.Duration, junitProperty{"seed", HexSeed(c.Seed)}, junitProperty{"build", c.Build.String()})
	if c.Shard.Of > 0 {
		all.properties = append(all.properties, junitProperty{"shard", c.Shard.String()})
	}
	all.suite("stress")
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		test := junitCase{Name: s.Title(), Class: "stress." + s.Mode.String()}
		switch {
		case s.Interrupted && !r.Interrupted:
			test.Error = &junitOutcome{Message: "the tool itself failed", Type: "interrupted"}
		case s.Interrupted:
			test.Skipped = &junitOutcome{Message: "the campaign was interrupted"}
		case s.Open:
			test.Skipped = &junitOutcome{Message: "open: " + s.Detail}
		case s.Failed():
			test.Failure = &junitOutcome{s.problem(), string(s.Verdict), strings.Join(s.details(p.Command), "\n")}
		}
		all.add("stress", test, s.Duration)
	}
	if all.Errors == 0 {
		all.addTrouble("campaign", r.Trouble)
	}
	all.Suites[0].Time = all.Time
	return all
}

// annotations returns one for each scenario that failed, at its line in the file of the scenarios, if there is one.
func (r *Report) annotations(p Page) annotations {
	lines, _ := scenario.ReadInput(p.Scenarios, scenario.MaxInput) //nolint:errcheck // then it has no lines
	a := annotations{level: "error", rest: "more scenarios", hint: "not as expected either: see the summary or the report"}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		if !s.Failed() {
			continue
		}
		x := annotation{file: p.Scenarios, title: s.Title(), text: strings.Join(append([]string{s.problem()}, s.details(p.Command)...), "\n")}
		if p.Scenarios != "" {
			x.line = lineOfScenario(string(lines), s.Name)
		}
		a.all = append(a.all, x)
	}
	return a
}

// lineOfScenario returns the line with the scenario's name, or 0 if there is none.
func lineOfScenario(text, name string) int {
	at := regexp.MustCompile(`(?m)^[ \t]*(?:-[ \t]+)?name:[ \t]*["']?` + regexp.QuoteMeta(name) + `["']?[ \t]*(?:#.*)?$`).FindStringIndex(text)
	if at == nil {
		return 0
	}
	return 1 + strings.Count(text[:at[0]], "\n")
}
