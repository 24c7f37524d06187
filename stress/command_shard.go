package stress

// A shardFlag is a flag: one part of a campaign.
type shardFlag Shard

func (s *shardFlag) String() string { return Shard(*s).String() }
func (s *shardFlag) Type() string   { return "i/n" }
func (s *shardFlag) Set(text string) error {
	parsed, err := ParseShard(text)
	if err == nil {
		*s = shardFlag(parsed)
	}
	return err
}
