package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

func newList(m *program) *cobra.Command {
	file := Path{What: "file"}
	var oracles, workloads bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios, the workloads or the oracles",
		Example: `  stress list
  stress list --file mine.yaml
  stress list --workloads
  stress list --oracles`,
		Args: NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case oracles && (workloads || file.Name != ""):
				return Usage("--oracles: want it alone: oracles are in no file")
			case oracles:
				return listOracles(newPrinter(c))
			case workloads && file.Name != "":
				return Usage("--file and --workloads: want one of them: workloads are in no file")
			case workloads:
				return m.listWorkloads(c)
			}
			scenarios, err := m.loadScenarios(file.Name)
			if err != nil {
				return err
			}
			p := newPrinter(c)
			for _, sc := range scenarios {
				how := ""
				if sc.Mode == scenario.Control {
					how = ", under control"
					if sc.Strategy != "" {
						how += " by " + sc.Strategy
					}
				}
				if sc.Variant != "" {
					how += ", with " + sc.Variant
				}
				if sc.Group != "" {
					how += ", of " + sc.Group
				}
				p.line("%-36s expects %-14s workload %s%s", sc.Name, sc.Expected(), sc.Workload, how)
				p.line("    %s", sc.About)
				p.exceptions(&sc, m.subjects)
			}
			return p.end()
		},
	}
	c.Flags().Var(&file, "file", "scenario file (default: the campaign in the binary)")
	completeFlag(c, "file", filesWith("yaml", "yml"))
	c.Flags().BoolVar(&oracles, "oracles", false, "list the oracles: verdict, modes, positive control, what each checks")
	c.Flags().BoolVar(&workloads, "workloads", false, "list the subjects and workloads, with the parameters that a scenario may set")
	return c
}

func listOracles(p *printer) error {
	for _, o := range run.Oracles() {
		p.line("%-16s %-8s %s", o.Verdict, o.Modes, o.Control)
		p.line("    %s", o.Sees)
	}
	return p.end()
}

// listWorkloads lists the workloads of each subject, after its own parameters.
func (m *program) listWorkloads(c *cobra.Command) error {
	p := newPrinter(c)
	for _, s := range m.subjects {
		p.line("%s", s.Name)
		p.params(s.Params)
		for _, v := range s.Variants {
			p.line("    variant %-16s %s", v.Name, v.About)
		}
		for _, w := range s.Workloads {
			p.line("%-36s of %s", w.Name, s.Name)
			p.line("    %s", w.About)
			p.params(w.Params)
		}
	}
	return p.end()
}

func (p *printer) params(params []subject.Param) {
	for _, v := range params {
		about := subject.About(v)
		if about != "" {
			about = ": " + about
		}
		defaults := fmt.Sprintf("%s, under control %s", subject.Default(v, false), subject.Default(v, true))
		switch {
		case subject.Required(v):
			defaults = "required"
		case subject.Optional(v):
			defaults = "no default"
		}
		p.line("    %-14s %s; %s%s", subject.Label(v), defaults, scenario.Bounds(v), about)
	}
}

// exceptions lists the variants with other expectations.
func (p *printer) exceptions(sc *scenario.Scenario, subjects []subject.Subject) {
	type line struct{ expects, why string }
	var lines []line
	names := map[line][]string{}
	for _, name := range variantsOf(sc.Subject, subjects) {
		as := sc.With(name)
		if as.Expected() == sc.Expected() {
			continue
		}
		l := line{as.Expected(), as.Why}
		if names[l] == nil {
			lines = append(lines, l)
		}
		names[l] = append(names[l], name)
	}
	for _, l := range lines {
		p.line("    with %s: expects %s. %s", strings.Join(names[l], ", "), l.expects, l.why)
	}
}
