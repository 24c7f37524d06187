package stress

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/command"
)

func newList(m *program) *cobra.Command {
	file := command.Path{What: "file"}
	var oracles, workloads bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case oracles && (workloads || file.Name != ""):
				return command.Usage("--oracles: want it alone: oracles are in no file")
			case oracles:
				return listOracles(newPrinter(c))
			case workloads && file.Name != "":
				return command.Usage("--file and --workloads: want one of them: workloads are in no file")
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
	c.Flags().BoolVar(&workloads, "workloads", false, "the workloads instead, and the sizes that a scenario may give them")
	return c
}

func listOracles(p *printer) error {
	for _, o := range Oracles() {
		p.Line("%-16s %-8s %s", o.Verdict, o.Modes, o.Control)
		p.Line("    %s", o.Sees)
	}
	return p.End()
}

func (m *program) listWorkloads(c *cobra.Command) error {
	p := newPrinter(c)
	for _, s := range m.subjects {
		if s.guest {
			p.listParams(&s)
		} else {
			p.listSizes(&s)
		}
	}
	return p.End()
}

// listParams lists the workloads of a subject other than the pool.
func (p *printer) listParams(s *Subject) {
	for _, w := range s.workloads {
		p.Line("%-36s of %s", w.Name, s.Name)
		p.Line("    %s", w.About)
		for _, v := range w.params {
			name, about := v.label()
			if about != "" {
				about = ": " + about
			}
			p.Line("    %-10s %s, under control %s; %s%s", name, v.text(false), v.text(true), v.bounds(), about)
		}
	}
}

// listSizes lists the workloads of the pool.
func (p *printer) listSizes(s *Subject) {
	for _, w := range s.workloads {
		p.Line("%-36s pools of %s", w.Name, w.Pools())
		p.Line("    %s", w.About)
		for _, size := range w.Parameters() {
			controlled := size.Controlled
			if controlled == "" {
				controlled = "none"
			}
			p.Line("    %-10s %s, under control %s; %s to %s", size.Key, size.Default, controlled, size.From, size.To)
		}
	}
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
