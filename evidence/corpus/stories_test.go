package corpus

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: a page whose reports are those of other bugs, of an older test or result, or that does not say how they
// are made; and a story that does not fit on a screen.
func TestStoriesAreCurrent(t *testing.T) {
	text, err := os.ReadFile("../../" + StoriesPage)
	if err != nil {
		t.Fatal(err)
	}
	stories, err := Stories(string(text))
	if err != nil || len(stories) < 9 {
		t.Fatalf("%d stories, %v", len(stories), err)
	}
	sets, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	results, err := ReadResults("results")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range storyProblems(string(text), stories, sets, results) {
		t.Error(problem)
	}
}

// Catches: a check that lets a wrong report pass.
func TestStoryProblems(t *testing.T) {
	set := &Set{Name: "small"}
	set.Bugs = []*Bug{{Set: set, Name: "one", Verdicts: []verdict.Verdict{verdict.Deadlock}}}
	result := &Result{Executions: []int{4}, Summary: "nothing can continue"}
	const right = "<!-- story: small/one -->\n```text\ndeadlock in execution 3 (pct): nothing can continue\n\nrecorded with 1 decision\n```\ncorpus run small/one\n"
	for _, test := range []struct{ old, new, want string }{
		{"", "", ""},
		{"deadlock", "leak", "verdict"},
		{"execution 3", "execution 4", "execution"},
		{"nothing can", "all can", "summary"},
		{"corpus run small/one", "corpus run small", "command"},
		{"story: small/one", "story: small/two", "no table"},
		{"recorded with 1 decision", "", "recorded"},
		{"recorded", strings.Repeat("a row\n", 40) + "recorded", "screen"},
	} {
		page := strings.Replace(right, test.old, test.new, 1)
		stories, err := Stories(page)
		if err != nil || len(stories) != 1 {
			t.Fatalf("%d stories, %v", len(stories), err)
		}
		problems := storyProblems(page, stories, []*Set{set}, Results{"small/one": result})
		if test.want == "" && len(problems) > 0 || test.want != "" && !strings.Contains(strings.Join(problems, "\n"), test.want) {
			t.Errorf("%q instead of %q: %q, want %q", test.new, test.old, problems, test.want)
		}
	}
}

func storyProblems(page string, stories []Story, sets []*Set, results Results) (problems []string) {
	for _, s := range stories {
		at := fmt.Sprintf("%s:%d: %s: ", StoriesPage, s.Line, s.ID)
		i := slices.IndexFunc(All(sets), func(b *Bug) bool { return b.ID() == s.ID })
		if i < 0 {
			problems = append(problems, at+"it is in no table")
			continue
		}
		b := All(sets)[i]
		first, last := s.Excerpt[0], s.Excerpt[len(s.Excerpt)-1]
		if !strings.Contains(page, "corpus run "+s.ID+"\n") {
			problems = append(problems, at+"no command")
		}
		if v, _, _ := strings.Cut(first, " "); !slices.Contains(b.Verdicts, verdict.Verdict(v)) {
			problems = append(problems, at+"another verdict: "+first)
		}
		if !strings.HasPrefix(last, "recorded") {
			problems = append(problems, at+"it ends without what was recorded")
		}
		if len(s.Excerpt) > 30 {
			problems = append(problems, fmt.Sprintf("%s%d lines are no screen", at, len(s.Excerpt)))
		}
		r := results[s.ID]
		if r == nil { // not measured yet
			continue
		}
		if !strings.Contains(first, fmt.Sprintf(" in execution %d (", r.Executions[0]-1)) {
			problems = append(problems, fmt.Sprintf("%sthe execution was %d: %s", at, r.Executions[0]-1, first))
		}
		if !strings.HasSuffix(first, "): "+r.Summary) {
			problems = append(problems, fmt.Sprintf("%sthe summary was %q: %s", at, r.Summary, first))
		}
	}
	return problems
}

// Catches: paths in an excerpt, cut schedules, and a page that loses its text around them.
func TestFillStories(t *testing.T) {
	const tool = "deadlock in execution 3 (pct): no task can continue\n\nstep | main | clock\n   1 | begin | \n\norder  a before b\n\ntask main waits\n    p.f (/root/p.go:1)\n\nrecorded with 1 decision\n"
	const explored = "--- FAIL: Test (0.1s)\n    a_test.go:7: panic in execution 0 (pct): no\n        \n        main | a\n        begin | \n        \n        log of this execution\n            main at /root/b.go:1: no\n        \n        recorded with 0 decisions\n        found with -chaos.seed=0x1\nFAIL\n"
	page := "one\n<!-- story: s/a -->\n```text\nold\n```\ntwo\n<!-- story: s/b -->\n```text\n```\nthree\n"
	want := "one\n<!-- story: s/a -->\n```text\ndeadlock in execution 3 (pct): no task can continue\n\nstep | main | clock\n   1 | begin |\n\norder  a before b\n\nrecorded with 1 decision\n```\n" +
		"two\n<!-- story: s/b -->\n```text\npanic in execution 0 (pct): no\n\nmain | a\nbegin |\n\nrecorded with 0 decisions\n```\nthree\n"
	got, err := FillStories(page, map[string]string{"s/a": tool, "s/b": explored})
	if err != nil || got != want {
		t.Errorf("%v, %s", err, got)
	}
	if _, err := FillStories(page, map[string]string{"s/a": tool}); err == nil || !strings.Contains(err.Error(), ":7: there is no report of s/b") {
		t.Errorf("without a report: %v", err)
	}
	if _, err := Stories("<!-- story: s/a -->\nno block\n"); err == nil || !strings.Contains(err.Error(), ":1: a fenced block") {
		t.Errorf("without a block: %v", err)
	}
}
