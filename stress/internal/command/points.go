package command

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

func newPoints(m *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "points",
		Short: "List the hook points: name, the window that is open there, the faults that they offer",
		Example: `  stress points
  stress points --json | grep notify`,
		Args: NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p := newPrinter(c)
			for _, point := range scenario.PointsOf(m.subjects) {
				var offers []string
				for _, k := range point.Offers.Kinds() {
					offers = append(offers, k.String())
				}
				if asJSON {
					printJSON(p, point, offers)
					continue
				}
				p.line("%-32s %s", point.Name, strings.Join(offers, ", "))
				p.line("    %s", point.Window)
			}
			return p.end()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func printJSON(p *printer, point scenario.PointInfo, offers []string) {
	line, err := json.Marshal(struct {
		Schema int      `json:"schema"`
		Kind   string   `json:"kind"`
		Name   string   `json:"name"`
		Window string   `json:"window"`
		Offers []string `json:"offers"`
	}{report.SchemaVersion, "point", point.Name, point.Window, offers})
	if err != nil {
		panic(err) // strings can be encoded
	}
	p.line("%s", line)
}
