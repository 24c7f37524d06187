package stress

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/command"
)

func newList(m *program) *cobra.Command {
	file := command.Path{What: "file"}
	oracles := false
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if oracles {
				return listOracles(newPrinter(c))
			}
			scenarios, err := m.loadScenarios(file.Name)
			if err != nil {
				return err
			}
			p := newPrinter(c)
			for _, sc := range scenarios {
				how := ""
				if sc.Mode == Control {
					how = ", under control"
					if sc.Strategy != "" {
						how += " by " + sc.Strategy
					}
				}
				if sc.Pool.Sleep != "" {
					how += ", with " + sc.Pool.Sleep
				}
				if sc.Group != "" {
					how += ", of " + sc.Group
				}
				p.Line("%-36s expects %-14s workload %s%s", sc.Name, sc.Expected(), sc.Workload, how)
				p.Line("    %s", sc.About)
				p.exceptions(&sc)
			}
			return p.End()
		},
	}
	c.Flags().Var(&file, "file", "scenario file (default: the campaign in the binary)")
	c.Flags().BoolVar(&oracles, "oracles", false, "the oracles instead: verdict, modes, positive control, and what is looked at")
	return c
}

func listOracles(p *printer) error {
	for _, o := range Oracles() {
		p.Line("%-16s %-8s %s", o.Verdict, o.Modes, o.Control)
		p.Line("    %s", o.Sees)
	}
	return p.End()
}

// exceptions lists the strategies of sleep with which something else is expected.
func (p *printer) exceptions(sc *Scenario) {
	type line struct{ expects, why string }
	var lines []line
	names := map[line][]string{}
	for _, name := range Strategies() {
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
		p.Line("    with %s: expects %s. %s", strings.Join(names[l], ", "), l.expects, l.why)
	}
}
