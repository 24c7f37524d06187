package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

func newShrink(m *program) *cobra.Command {
	out := Path{What: "file"}
	c := &cobra.Command{
		Use:   "shrink FILE",
		Short: "Leave out of a controlled execution what it does not need to fail",
		Long: `Look for a shorter schedule that leads a recorded execution of a controlled scenario
to the same verdict at the same site, and write it to FILE.min.rouse, or FILE.min-2.rouse
and so on. No existing file is replaced. A recording of stress test is shrunk in the same
way; that is built first, by the go command.

Of a recording that chaos.Explore has written in a Go test, which is shrunk already,
it prints the command that repeats it. Native executions cannot be shrunk: their
interleaving is the machine's.`,
		Example: `  stress shrink rouse-out/NAME.rouse
  stress shrink rouse-out/NAME.rouse --out short.rouse`,
		Annotations:       map[string]string{anyBuild: ""},
		Args:              oneArg("FILE", "a recording"),
		ValidArgsFunction: recordingArg,
		RunE:              func(c *cobra.Command, args []string) error { return m.shrinkFile(c, args[0], out.Name) },
	}
	c.Flags().Var(&out, "out", "file to write instead, which must not exist")
	return c
}

func (m *program) shrinkFile(c *cobra.Command, name, out string) error {
	rec, err := m.readRecorded(c, name)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	switch {
	case rec.Kind == recording.Unmodified:
	case ofStressTest(rec.Recording):
		return Usage("%s: a native execution cannot be shrunk, for its interleaving is the machine's; want a recording of stress test without --native", rec.File)
	case rec.Scenario == nil:
		p.ofATest(rec)
		p.line("it is shrunk already: chaos.Explore shrinks what it records")
		return p.end()
	case rec.Kind == recording.Native && rec.Scenario.Mode == scenario.Control:
		return Usage("%s: the execution crashed its process, and has no schedule to shrink; want a recording of one that did not", rec.File)
	case rec.Kind == recording.Native:
		return Usage("%s: a native execution of %s cannot be shrunk, for its interleaving is the machine's; want a recording of a controlled scenario", rec.File, rec.Scenario.Name)
	}
	if _, err := os.Lstat(out); out != "" && err == nil {
		return Usage("--out %s: it is there already, and would be replaced: want another name, or delete it", out)
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
	if out == "" {
		out, err = run.WriteNew(run.ShrunkName(rec.File), shorter.String())
	} else {
		err = atomicfile.WriteNew(out, []byte(shorter.String()))
	}
	if err != nil {
		return Failed(err)
	}
	p.line("shrunk from %s to %d%s", entries(len(rec.Entries)), len(shorter.Entries), attempts)
	p.line("written to %s", out)
	return p.end()
}

// shrinkScenario shrinks a recording of a controlled scenario, and says in how many executions.
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
