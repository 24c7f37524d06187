package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/page"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/internal/suite"
	"github.com/rouse-go/rouse/stress/scenario"
)

// checkPage returns an error if the file for a page cannot be written, before anything runs.
func checkPage(name string) error {
	file, err := report.CreateFile(name)
	if err == nil {
		file.Discard()
		return nil
	}
	return unopened("--html", err)
}

// page writes the page of a failure to a file, unless the failure no longer happens.
func (p *printer) page(name string, f *page.Failure) error {
	if f.Verdict == verdict.Pass {
		p.line("\nno page: the recorded failure does not happen any more")
		if p.err != nil {
			return Failed(p.err)
		}
		return &ExitError{Code: ExitFailed}
	}
	if err := writePage(name, f); err != nil {
		return Failed(fmt.Errorf("--html %w", err))
	}
	p.line("\npage: %s", name)
	return p.end()
}

// writePage writes the page of a failure to a file.
func writePage(name string, f *page.Failure) error {
	file, err := report.CreateFile(name)
	if err != nil {
		return err
	}
	if err := page.Write(file, f); err != nil {
		file.Discard()
		return err
	}
	return file.Close()
}

// insteadOfPage returns the hint that follows the refusal of a page for a native recording.
func insteadOfPage(rec *run.Recording) string {
	if rec.Scenario != nil && rec.Scenario.Mode == scenario.Control {
		return ": the execution crashed its process"
	}
	return "; to search for the failure under control: " + shell.Command(append(called.Command(outcome.ThisBuild().Race), "shrink", shell.File(rec.File))...)
}

// pageOfScenario returns the page of an explained controlled scenario.
func pageOfScenario(rec *run.Recording, x *run.Explanation) *page.Failure {
	suite.FromSources(x.Page, x.Timelines)
	return &page.Failure{
		Title: "scenario " + rec.Scenario.Title(), Verdict: x.Result.Verdict, Summary: x.Result.Summary,
		Command: shell.Command(append(called.Command(outcome.ThisBuild().Race), "replay", shell.File(rec.File))...),
		Page:    x.Page, Timelines: x.Timelines,
	}
}

// explainExplore repeats a recording of chaos.Explore with go test, shows what happens in it, and writes the page.
func (p *printer) explainExplore(c *cobra.Command, rec *run.Recording, name string) error {
	p.ofATest(rec)
	f, err := repeatExplore(c, rec)
	if err != nil {
		return err
	}
	if f.Differs != "" {
		p.line("now it is %s: %s", f.Verdict, f.Differs)
	}
	again, err := rec.GoTest()
	if err != nil {
		return Failed(err)
	}
	if f.Verdict != verdict.Pass {
		suite.FromSources(f.Page, f.Timelines)
		p.line("\n%s", strings.Trim(p.report(suite.Try{Page: f.Page}), "\n"))
		p.schedule(rec.Recording)
	}
	return p.page(name, &page.Failure{Title: rec.Subject, Verdict: f.Verdict, Summary: f.Summary, Command: again, Page: f.Page, Timelines: f.Timelines})
}

// repeatExplore makes go test repeat a recording of chaos.Explore, and returns what happened.
func repeatExplore(c *cobra.Command, rec *run.Recording) (*explain.Failure, error) {
	file, err := filepath.Abs(rec.File)
	if err != nil {
		return nil, Failed(err)
	}
	words, err := rec.Words(file)
	if err != nil {
		return nil, Usage("%s: %w", rec.File, err)
	}
	dir, _, err := suite.PackageFolder(c.Context(), unmodified(), rec.File, rec.Recording)
	if err != nil {
		return nil, failedTests(err)
	}
	tmp, remove, err := suite.Temporary("stress-explain")
	if err != nil {
		return nil, Failed(err)
	}
	defer remove() //nolint:errcheck // the next run tries again
	data := filepath.Join(tmp, "failure.json")
	test := process.Command(c.Context(), words[0], slices.Insert(words[1:], 1, "-count=1")...)
	test.Dir, test.Env = dir, append(os.Environ(), explain.FailureVariable+"="+data)
	out, err := process.CombinedOutput(test)
	switch {
	case c.Context().Err() != nil:
		return nil, Failed(context.Cause(c.Context()))
	case err != nil && test.ProcessState == nil:
		return nil, Failed(fmt.Errorf("the go command: %w", err))
	}
	text, err := os.ReadFile(data)
	f := &explain.Failure{}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usage("%s: go test has not repeated it:\n%s", rec.File, strings.TrimSpace(string(out)))
	case err == nil:
		err = json.Unmarshal(text, f)
	}
	if err == nil && f.Verdict != verdict.Pass && f.Page == nil {
		err = errors.New("it has no page")
	}
	if err != nil {
		return nil, Failed(fmt.Errorf("what go test has written: %w", err))
	}
	return f, nil
}
