package corpus

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// StoriesPage is the page whose blocks show reports of bugs. Except for these blocks, it is written by hand.
const StoriesPage = "evidence/track-stories.md"

var (
	storyComment = regexp.MustCompile(`^<!-- story: (\S+) -->$`)
	failureLine  = regexp.MustCompile(`^(?:\s+\S+_test\.go:\d+: )?(\S+ in execution \d+ \(.*)$`)
	detailLine   = regexp.MustCompile(`^(stack of|task |output of|log of|====)`)
)

// A Story is a block of the page that shows the report of a bug, below <!-- story: its ID -->.
type Story struct {
	ID      string
	Line    int // of the comment, from 1
	Excerpt []string
}

// Stories returns the stories of a page.
func Stories(page string) (all []Story, err error) {
	_, err = eachStory(page, func(s Story) ([]string, error) {
		all = append(all, s)
		return s.Excerpt, nil
	})
	return all, err
}

// FillStories returns the page with the excerpts of these reports, by the bugs' IDs.
func FillStories(page string, reports map[string]string) (string, error) {
	return eachStory(page, func(s Story) ([]string, error) {
		lines := Excerpt(reports[s.ID])
		if len(lines) == 0 {
			return nil, fmt.Errorf("%s:%d: there is no report of %s", StoriesPage, s.Line, s.ID)
		}
		return lines, nil
	})
}

// eachStory replaces the excerpts of a page.
func eachStory(page string, replace func(Story) ([]string, error)) (string, error) {
	var filled []string
	var problems error
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		filled = append(filled, lines[i])
		m := storyComment.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		end := -1
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "```") {
			end = slices.Index(lines[i+2:], "```")
		}
		if end < 0 {
			problems = errors.Join(problems, fmt.Errorf("%s:%d: a fenced block is to follow", StoriesPage, i+1))
			continue
		}
		excerpt, err := replace(Story{m[1], i + 1, lines[i+2 : i+2+end]})
		problems = errors.Join(problems, err)
		filled = append(append(append(filled, lines[i+1]), excerpt...), "```")
		i += 2 + end
	}
	return strings.Join(filled, "\n"), problems
}

// Excerpt returns the failure, the schedule and the cause in a report, without stacks and output, whose
// paths differ between machines.
func Excerpt(report string) (lines []string) {
	indent, details := "", false
	for line := range strings.Lines(report) {
		line = strings.TrimRight(strings.TrimPrefix(line, indent), " \n")
		m := failureLine.FindStringSubmatch(line)
		switch {
		case lines == nil && m == nil:
		case lines == nil:
			lines = append(lines, m[1])
			if line != m[1] { // the log of a test that explores
				indent = "        "
			}
		case strings.HasPrefix(line, "recorded"):
			if lines[len(lines)-1] != "" {
				lines = append(lines, "")
			}
			return append(lines, line)
		case detailLine.MatchString(line):
			details = true
		case !details:
			lines = append(lines, line)
		}
	}
	return nil
}
