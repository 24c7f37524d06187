package report

import (
	"cmp"
	"fmt"
	"slices"

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
