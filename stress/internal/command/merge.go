package command

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/campaign"
)

func newMerge(m *program) *cobra.Command {
	f := newOutputFlags()
	c := &cobra.Command{
		Use:   "merge REPORT...",
		Short: "Merge the reports of all shards into one",
		Long: `Merge the reports of all shards of a campaign (stress run --shard) into one: files that
--json has written, or folders --out with a journal. The exit code is that of a campaign. If
a shard is missing, given twice, unfinished or of another campaign, it is named, and nothing
is merged.`,
		Example: `  stress merge shard0.jsonl shard1.jsonl --report report.md
  stress merge out0 out1 out2 --junit junit.xml`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE:              func(c *cobra.Command, args []string) error { return f.merge(m, c, args) },
	}
	f.defineReports(c)
	return c
}

func (f *outputFlags) merge(m *program, c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Usage("no reports; want those of all shards: %s REPORT...", c.CommandPath())
	}
	var shards []*campaign.ShardReport
	var reads []namedFile
	for _, arg := range args {
		name, err := fileArg(c, arg)
		if err != nil {
			return err
		}
		s, err := campaign.ReadShard(name)
		if err != nil {
			return Usage("%w", err)
		}
		shards = append(shards, s)
		reads = append(reads, namedFile{as: arg, path: s.Path})
	}
	merged, err := campaign.Merge(shards)
	if err != nil {
		return Usage("%w", err)
	}
	reports, err := f.open(c, false, files{reads: reads})
	if err != nil {
		return err
	}
	for _, ob := range m.campaignObservers(c.Context(), reports) {
		ob.Observe(&merged.Campaign)
		for i := range merged.Scenarios {
			ob.Observe(&merged.Scenarios[i])
		}
		ob.Observe(&merged)
	}
	return reports.finished(!merged.AsExpected(), false, nil)
}
