package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/scenario"
)

func (g *Campaign) print(c *Console) {
	bound := "for " + g.For.String()
	if g.Executions > 0 {
		bound = prose.Plural(g.Executions, "execution") + " each"
	}
	if g.Shard.Of > 0 {
		bound += ", shard " + g.Shard.String()
	}
	if g.Merged > 0 {
		bound += fmt.Sprintf(", merged from %s", prose.Plural(g.Merged, "shard"))
	}
	c.line(below, "seed %#x: %s, %s", g.Seed, prose.Plural(g.Scenarios, "scenario"), bound)
	c.line(below, "%s", g.Build)
	c.line(below, "a line: scenario, verdict, executions, time, and for each fault how often it fired of how often it could")
	if r := g.Resumed; r != nil {
		c.line(below, "%s", r)
	}
}

func (*Campaign) failures(n int) string {
	if n == 0 {
		return "all as expected"
	}
	return fmt.Sprintf("%s not as expected", prose.Plural(n, "scenario"))
}

// String describes in one line where the campaign resumes.
func (r *Resumed) String() string {
	s := fmt.Sprintf("resumes after %s, %s done (%s)", r.Elapsed.Round(100*time.Millisecond), prose.Plural(r.Done, "scenario"), r.Journal)
	if r.Finished {
		return fmt.Sprintf("had ended already: nothing is run (%s)", r.Journal)
	}
	if r.Scenario != "" {
		s += fmt.Sprintf("; of %s, %s done", r.Scenario, prose.Plural(r.Executions, "execution"))
	}
	if len(r.Again) > 0 {
		var numbers []string
		for _, n := range r.Again {
			numbers = append(numbers, strconv.Itoa(n))
		}
		if all := strings.Join(numbers, ", "); r.Batches {
			s += fmt.Sprintf("; the batch that was running begins again, with execution %s", all)
		} else {
			s += fmt.Sprintf("; execution %s was in progress and is run again", all)
		}
	}
	return s
}

// print prints the scenario's line, the failure if there is one, and the explanation of an unexpected failure.
func (s *ScenarioReport) print(c *Console) {
	width := 32
	if s.Variant != "" {
		width = 48
	}
	word, result := s.result()
	c.head(fmt.Sprintf("%s  %-*s %s", word, width, s.Title(),
		strings.Join([]string{result, s.extent(), s.Duration.Round(10 * time.Millisecond).String()}, ", ")), s.Faults)
	if s.Bounded != "" {
		c.line(furtherDown, below+"bounded: %s", s.Bounded)
	}
	if s.Why != "" {
		c.line(furtherDown, below+"%s", s.Why)
	}
	if s.Detail != "" {
		c.line(furtherDown, below+"%s", s.Detail)
	}
	c.evidence(s.Evidence)
	if r := s.Failure; r != nil {
		c.summary(r, s.AsExpected)
		if !s.AsExpected {
			for _, e := range r.Explanation {
				c.line(below+"|   ", below+"| %s", e)
			}
		}
	}
	c.recorded(s)
}

// result returns a word of four letters, and the verdict with the expected one.
func (s *ScenarioReport) result() (word, text string) {
	switch {
	case s.Interrupted:
		return "-   ", "interrupted"
	case s.Open:
		return "open", fmt.Sprintf("%s, expected %s", cmp.Or(s.Verdict, "nothing"), scenario.Alternatives(s.Expect, s.May))
	case !s.AsExpected:
		return "FAIL", fmt.Sprintf("%s, expected %s", s.Verdict, scenario.Alternatives(s.Expect, s.May))
	case s.Verdict != s.Expect:
		return "ok  ", string(s.Verdict) + " (may be)"
	case s.Expect != verdict.Pass:
		return "ok  ", string(s.Verdict) + " (expected)"
	}
	return "ok  ", string(s.Verdict)
}

// extent describes how many executions there were, and whether these are all possible ones.
func (s *ScenarioReport) extent() string {
	text := prose.Plural(s.Executions, "execution")
	if seconds := s.Duration.Seconds(); s.Mode == scenario.Control && s.Executions >= scenario.BatchSize && seconds > 0 {
		text += fmt.Sprintf(" (%.0f/s)", float64(s.Executions)/seconds)
	}
	switch {
	case s.Complete:
		text += ", all there are"
	case s.Bounded != "":
		text += ", all within bounds"
	}
	return text
}

// recorded prints the names of the files and the command that replays them. Neither is folded, so that they
// can be copied.
func (c *Console) recorded(s *ScenarioReport) {
	if s.Recording == "" {
		return
	}
	if s.Search != nil {
		c.line(furtherDown, below+"%s", s.Search)
	}
	text := "recorded in " + s.Recording
	if s.Shrunk != "" {
		c.print(below + text + ",")
		text = "shrunk in " + s.Shrunk
	}
	if found := s.found(); found != "" {
		c.print(below + text + ",")
		text = fmt.Sprintf("under control in %s, %s", found, s.Search.Extent())
	}
	c.print(below + text + "; again with")
	c.print(below + replayCommand(c.Command, s.ToReplay()))
	if len(s.Sidecars) > 0 {
		c.line(furtherDown, below+"its sidecars: %s", strings.Join(endingsOf(s.Recording, s.Sidecars), ", "))
	}
	if page := s.line(); page != "" {
		c.print(below + page)
	}
}

// endingsOf returns the endings of sidecars, with the programs that read them.
func endingsOf(recording string, files []string) (endings []string) {
	for _, f := range files {
		ending := "*" + strings.TrimPrefix(f, strings.TrimSuffix(recording, outcome.RecordingEnding))
		if strings.HasSuffix(f, outcome.TraceEnding) {
			ending += " (go tool trace)"
		}
		endings = append(endings, ending)
	}
	return endings
}

// head prints a scenario's line, with its faults below if they do not fit on it.
func (c *Console) head(head string, counts []outcome.FaultCount) {
	var faults []string
	for _, f := range busiest(counts, mostFires) {
		text := fmt.Sprintf("%s at %s %d/%d", f.Kind, f.At, f.Fires, f.Hits)
		if f.Expired > 0 {
			text += fmt.Sprintf(" (%d until its limit)", f.Expired)
		}
		faults = append(faults, text)
	}
	if more := len(counts) - len(faults); more > 0 {
		faults = append(faults, fmt.Sprintf("and %s: see --json or --report", prose.Plural(more, "more fault")))
	}
	if whole := strings.Join(append([]string{head}, faults...), ", "); utf8.RuneCountInString(whole) <= c.width() {
		c.print(whole)
		return
	}
	c.line(below, "%s", head)
	for _, row := range rows(faults, c.width()-len(below)) {
		c.line(furtherDown, below+"%s", row)
	}
}

// rows joins texts with commas into rows of at most the given width, where the texts allow it.
func rows(texts []string, width int) (rows []string) {
	row := ""
	for i, text := range texts {
		if i < len(texts)-1 {
			text += ","
		}
		if row != "" && utf8.RuneCountInString(row+" "+text) > width {
			rows, row = append(rows, row), ""
		}
		row = strings.TrimLeft(row+" "+text, " ")
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

// summaryLines is how many lines of an expected failure's summary are printed.
const summaryLines = 3

// summary prints why an execution failed, and only the beginning if the failure was expected.
func (c *Console) summary(r *outcome.Result, expected bool) {
	text := plain.Wrap(below+nameOf(r)+": "+r.Summary, c.width(), furtherDown)
	if lines := strings.Split(text, "\n"); expected && len(lines) > summaryLines {
		text = strings.Join(lines[:summaryLines], "\n") + "\n" + furtherDown + "..."
	}
	c.print(text)
}

// replayCommand returns the command that runs a recording again.
func replayCommand(program []string, recording string) string {
	return shell.Command(append(slices.Clone(program), "replay", shell.File(recording))...)
}

// print prints which scenarios still bring new orders.
func (r *Report) print(c *Console) {
	if text := r.newOrders(); text != "" {
		c.line(below, "%s", text)
	}
}

func (r *Report) headline() string {
	executions := 0
	for _, s := range r.Scenarios {
		executions += s.Executions
	}
	sum := fmt.Sprintf("%s, %s, %s", prose.Plural(len(r.Scenarios), "scenario"), prose.Plural(executions, "execution"),
		r.Duration.Round(100*time.Millisecond))
	if open := r.Open(); open > 0 {
		sum += fmt.Sprintf(", %d open", open)
		if r.Campaign.Shard.Of > 0 {
			sum += " until the shards are merged"
		}
	}
	if r.Campaign.Shard.Of > 0 {
		sum = "shard " + r.Campaign.Shard.String() + ": " + sum
	}
	switch {
	case r.Interrupted:
		return fmt.Sprintf("interrupted: %s; %d not as expected; the seed was %#x", sum, r.Failed(), r.Campaign.Seed)
	case r.Trouble != "":
		return fmt.Sprintf("the tool has failed: %s until then; %d not as expected; the seed was %#x", sum, r.Failed(), r.Campaign.Seed)
	case r.AsExpected():
		return "all as expected: " + sum
	}
	return fmt.Sprintf("%d not as expected: %s; the seed was %#x", r.Failed(), sum, r.Campaign.Seed)
}

// nameOf returns the number of the execution with its setting.
func nameOf(r *outcome.Result) string {
	if r.Setting == "" {
		return fmt.Sprintf("execution %d", r.Execution)
	}
	return fmt.Sprintf("execution %d, %s", r.Execution, r.Setting)
}
