package sleep

import "slices"

// A Variant is a strategy and its alternatives under one name, for command lines, tables
// and tests.
type Variant struct {
	Name  string
	About string // one line
	// Lossy says that it may lose injected jobs, and with them everything: an experiment.
	Lossy   bool
	Options []Option // of New
}

// variants is in the order of the documents that they come from.
var variants = []Variant{
	{"jec", "rayon's protocol, the default", false, nil},
	{"jec-every-job", "JEC, and each post moves the counter, not only the first after an announcement", false, []Option{WithEveryJob()}},
	{"jec-local-queue", "JEC, and a worker's post wakes somebody only if its queue was not empty", false, []Option{WithIdleByLocalQueue()}},
	{"jec-two-idle", "JEC, and posts see to it that two workers are idle", false, []Option{WithTwoIdle()}},
	{"jec-blocks", "JEC, and posts wake until the number of workers awake is a power of two", false, []Option{WithBlocks()}},
	{"jec-spinners", "JEC by the rule of Go's scheduler: a post wakes one worker, if none is looking for work", false, []Option{WithSpinners()}},
	{"jec-one-by-one", "JEC, and jobs that are known together are posted singly", false, []Option{WithJobsOneByOne()}},
	{"jec-dummy-flag", "JEC, and each push writes a flag that nobody reads", false, []Option{WithDummyFlag()}},
	{"jec-readme", "JEC by the letter of rayon's README, where the code goes further", true, []Option{WithLiteralREADME()}},
	{"rfc5", "RFC 5 as it was written: no jobs event counter, no last look", true, []Option{WithRFC5()}},
	{"rfc5-no-sleepy", "RFC 5, and its latch without the state SLEEPY", true, []Option{WithRFC5(), WithoutSleepy()}},
	{"tickle", "rayon's older protocol: one worker at a time is sleepy, every event wakes all", false, []Option{WithTickle()}},
	{"tickle-swap", "Tickle, and each tickle swaps the state without a look first", false, []Option{WithTickle(), WithSwappingTickle()}},
	{"tickle-dummy-flag", "Tickle, and each push writes a flag that nobody reads", false, []Option{WithTickle(), WithDummyFlag()}},
}

// WithRounds returns the variant's options for a pool in which a worker searches n times in
// vain until it is sleepy and, with Tickle, as often again until it sleeps, but once at least.
func (v Variant) WithRounds(n int) []Option {
	options := append(slices.Clone(v.Options), WithRoundsUntilSleepy(n))
	var c config
	for _, o := range options {
		o(&c)
	}
	if c.protocol == tickleProtocol {
		options = append(options, WithRoundsUntilAsleep(max(n, 1)))
	}
	return options
}

// Variants returns all there are, the default first. Options of the caller's own may be
// appended to theirs.
func Variants() []Variant {
	all := slices.Clone(variants)
	for i := range all {
		all[i].Options = slices.Clone(all[i].Options)
	}
	return all
}

// VariantNamed returns the variant of that name, and whether there is one.
func VariantNamed(name string) (Variant, bool) {
	all := Variants()
	i := slices.IndexFunc(all, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return Variant{}, false
	}
	return all[i], true
}
