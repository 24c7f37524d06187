package command

import (
	"github.com/rouse-go/rouse/stress/scenario"
)

// A shardFlag is a flag: one part of a campaign.
type shardFlag scenario.Shard

func (s *shardFlag) String() string { return scenario.Shard(*s).String() }
func (s *shardFlag) Type() string   { return "i/n" }
func (s *shardFlag) Set(text string) error {
	parsed, err := scenario.ParseShard(text)
	if err == nil {
		*s = shardFlag(parsed)
	}
	return err
}
