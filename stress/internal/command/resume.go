package command

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/campaign"
	"github.com/rouse-go/rouse/stress/scenario"
)

// readJournal returns the journal of the campaign to resume, or nil if there is none. The journal of an
// unfinished campaign is neither replaced nor continued with other scenarios.
func (f *runFlags) readJournal(c *cobra.Command, scenarios []scenario.Scenario, journal bool) (*campaign.Journal, error) {
	if !journal {
		return nil, nil
	}
	j, err := campaign.ReadJournal(f.out.Name)
	switch {
	case err != nil:
		return nil, Usage("%w; delete it to begin anew", err)
	case j == nil || j.Finished() && !f.resume:
		return nil, nil
	case !f.resume:
		done, all := j.Done()
		return nil, Usage("%s: its campaign has not ended, %d of %d scenarios done: "+
			"want --resume to continue it, or another --out; delete the file to abandon it", j.Path(), done, all)
	}
	if err := j.Check(scenarios); err != nil {
		return nil, Usage("--resume: %w", err)
	}
	if err := f.agree(c, j); err != nil {
		return nil, err
	}
	return j, nil
}

// agree compares the flags that were given with the campaign of the journal.
func (f *runFlags) agree(c *cobra.Command, j *campaign.Journal) error {
	was := j.Options()
	refuse := func(flag, has string) error {
		return Usage("--resume: %s: its campaign has %s: want the same, or leave --%s out", j.Path(), has, flag)
	}
	if c.Flags().Changed("seed") || os.Getenv(seedEnv) != "" {
		if err := f.seed.choose(c); err != nil {
			return err
		}
		if uint64(f.seed) != was.Seed {
			return refuse("seed", fmt.Sprintf("the seed %#x, not %#x", was.Seed, uint64(f.seed)))
		}
	}
	if c.Flags().Changed("shard") && scenario.Shard(f.shard) != was.Shard {
		return refuse("shard", "the shard "+cmp.Or(was.Shard.String(), "0/1"))
	}
	bound := fmt.Sprintf("--for %v", was.For)
	if was.Executions > 0 {
		bound = fmt.Sprintf("--executions %d", was.Executions)
	}
	if c.Flags().Changed("for") && time.Duration(f.span) != was.For {
		return refuse("for", bound)
	}
	if c.Flags().Changed("executions") && int(f.executions) != was.Executions {
		return refuse("executions", bound)
	}
	if c.Flags().Changed("keep-controls") && f.keep != was.RecordExpected {
		return refuse("keep-controls", map[bool]string{true: "--keep-controls", false: "no --keep-controls"}[was.RecordExpected])
	}
	return nil
}
