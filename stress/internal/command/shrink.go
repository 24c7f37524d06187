package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

func newShrink(m *program) *cobra.Command {
	out, search := Path{What: "file"}, newSearch()
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Leave out of a controlled execution what it does not need to fail",
		Long: `Look for a shorter schedule that leads a recorded execution of a controlled scenario
to the same verdict at the same site, and write it to FILE.min.rouse, or FILE.min-2.rouse
and so on. No existing file is replaced. A recording of stress test is shrunk in the same
way; that is built first, by the go command.

A native execution has no schedule. It is searched for under control instead, as stress run
does when a native scenario fails: the same recording makes the same search, and --search bounds
it. What is found is shrunk and written to FILE.control.rouse.

Of a recording that chaos.Explore has written in a Go test, which is shrunk already,
it prints the command that repeats it.

Exit code 1 if the search does not reproduce the failure.`,
		Example: `  stress shrink rouse-out/NAME.rouse
  stress shrink rouse-out/NAME.rouse --out short.rouse
  # search for a native failure under control, for ten minutes
  stress shrink rouse-out/NATIVE.rouse --search 10m`,
		Annotations:       map[string]string{anyBuild: ""},
		Args:              oneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE: func(c *cobra.Command, args []string) error {
			return m.shrinkFile(c, args[0], out.Name, search.SearchBudget)
		},
	}
	c.Flags().Var(&out, "out", "file to write instead, which must not exist")
	c.Flags().Var(&search, "search", searchUsage)
	return c
}

func (m *program) shrinkFile(c *cobra.Command, name, out string, budget outcome.SearchBudget) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec.Origin() == recording.OfStressTest:
	case rec.Scenario == nil:
		p.ofATest(rec)
		p.line("it is shrunk already: chaos.Explore shrinks what it records")
		return p.end()
	case rec.Kind == recording.Native && rec.Scenario.Mode == scenario.Control:
		return Usage("%s: the execution crashed its process, and has no schedule to shrink; want a recording of one that did not", rec.File)
	}
	if rec.Kind == recording.Native && budget.Off() {
		return Usage("--search 0: a native execution has no schedule to shrink: want a bound of the search for one")
	}
	if _, err := os.Lstat(out); out != "" && err == nil {
		return Usage("--out %s: it is there already, and would be replaced: want another name, or delete it", out)
	}
	if rec.Kind == recording.Native {
		return m.searchFile(c, p, rec, out, budget)
	}
	var shorter *recording.Recording
	attempts := ""
	if rec.Kind == recording.Unmodified {
		shorter, err = p.shrinkTest(c, rec)
	} else {
		shorter, attempts, err = p.shrinkScenario(c, rec)
	}
	if err != nil {
		return err
	}
	if out, err = writeTo(out, run.ShrunkName(rec.File), shorter); err != nil {
		return Failed(err)
	}
	p.line("shrunk from %s to %d%s", entries(len(rec.Entries)), len(shorter.Entries), attempts)
	p.line("written to %s", out)
	return p.end()
}

// writeTo writes a recording to the file out, or if that is "", under the first free name that begins with name.
func writeTo(out, name string, rec *recording.Recording) (string, error) {
	if out == "" {
		return run.WriteNew(name, rec.String())
	}
	return out, atomicfile.WriteNew(out, []byte(rec.String()))
}

// searchFile searches under control for the failure of a native recording.
func (m *program) searchFile(c *cobra.Command, p *printer, rec *run.Recording, out string, budget outcome.SearchBudget) error {
	search, found, err := m.search(c, p, rec, budget)
	switch {
	case err != nil:
		return err
	case search.Executions == 0:
		return Usage("%s: %s", rec.File, search)
	}
	p.line("%s", search)
	if found != nil {
		if out, err = writeTo(out, run.ControlName(rec.File), found); err != nil {
			return Failed(err)
		}
		p.line("written to %s, %s", out, search.Extent())
	}
	if err := p.end(); err != nil || search.Reproduced {
		return err
	}
	return &ExitError{Code: ExitFailed}
}

// search searches for the failure of a scenario, or of a test.
func (m *program) search(c *cobra.Command, p *printer, rec *run.Recording, budget outcome.SearchBudget) (*outcome.Search, *recording.Recording, error) {
	if rec.Scenario != nil {
		p.title(rec)
		found, err := rec.Search(c.Context(), budget, m.subjects...)
		if err != nil {
			return nil, nil, Failed(err)
		}
		return &found.Search, found.Schedule, nil
	}
	o := unmodified()
	o.Search = budget
	r, err := p.repeater(c, o, rec.File, rec.Recording)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	search, found, err := r.Search(c.Context())
	if err != nil {
		return nil, nil, failedTests(err)
	}
	return search, found, nil
}

// shrinkScenario shrinks a recording of a controlled scenario. attempts describes how many executions that took.
func (p *printer) shrinkScenario(c *cobra.Command, rec *run.Recording) (shorter *recording.Recording, attempts string, err error) {
	p.title(rec)
	shorter, n, err := rec.Shrink(c.Context())
	switch {
	case err != nil:
		return nil, "", Failed(err)
	case shorter == nil:
		return nil, "", Usage("%s: it does not end as %s any more, so there is nothing to shrink; stress replay reports what has changed", rec.File, rec.Verdict)
	}
	return shorter, " in " + prose.Plural(n, "execution"), nil
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
