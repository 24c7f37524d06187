package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress"
)

func newList() *cobra.Command {
	file := path{what: "file"}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			scenarios, err := loadScenarios(file.name)
			if err != nil {
				return err
			}
			p := &printer{out: c.OutOrStdout()}
			for _, sc := range scenarios {
				how := ""
				if sc.Mode == stress.Control {
					how = ", under control"
					if sc.Strategy != "" {
						how += " by " + sc.Strategy
					}
				}
				if sc.Pool.Sleep != "" {
					how += ", with " + sc.Pool.Sleep
				}
				p.line("%-36s expects %-14s workload %s%s", sc.Name, sc.Expected(), sc.Workload, how)
				p.line("    %s", sc.About)
				p.exceptions(&sc)
			}
			return p.end()
		},
	}
	c.Flags().Var(&file, "file", "scenario file (default: the campaign in the binary)")
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		hint := ""
		if c.Flags().Lookup("file") != nil {
			hint = "; want --file for a scenario file"
		}
		return usage("unknown argument %q: stress %s takes none%s", nearest.Clip(args[0]), c.Name(), hint)
	}
	return nil
}

// exceptions lists the strategies of sleep with which something else is expected.
func (p *printer) exceptions(sc *stress.Scenario) {
	type line struct{ expects, why string }
	var lines []line
	names := map[line][]string{}
	for _, name := range stress.Strategies() {
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
