package sleep

import "slices"

// A Variant is a named protocol, or a named change to one. Comparisons and tests choose it by
// passing its Options to New; an Options of another variant that comes later replaces it.
type Variant struct {
	Name    string
	About   string   // one line
	Lossy   bool     // it may lose injected jobs, and with them everything: an experiment
	Options []Option // nil for the default
}

// An alternative is how a variant differs from the default, which is the zero value.
type alternative struct {
	protocol  protocol
	rules     rules // of JEC
	noSleepy  bool  // RFC 5 without the latch state SLEEPY
	swaps     bool  // Tickle swaps the state without a look first
	oneByOne  bool  // any protocol: see oneByOne
	dummyFlag bool  // any protocol: see dummyFlag
}

type protocol uint8

const (
	jecProtocol protocol = iota
	tickleProtocol
	rfc5Protocol
)

func variant(name, about string, a alternative) Variant {
	return Variant{
		Name: name, About: about, Lossy: a.protocol == rfc5Protocol || a.rules.literal,
		Options: []Option{func(c *config) { c.alternative = a }},
	}
}

// variants are in the order of the documents that they come from.
var variants = []Variant{
	{Name: "jec", About: "rayon's protocol, the default"},
	variant("jec-every-job", "JEC, but every post moves the counter, not only the first after an announcement",
		alternative{rules: rules{everyJob: true}}),
	variant("jec-local-queue", "JEC, but a worker's post wakes a worker only if its queue was not empty",
		alternative{rules: rules{idleness: byLocalQueue}}),
	variant("jec-two-idle", "JEC, but posts keep at least two workers idle",
		alternative{rules: rules{idleness: byTwo}}),
	variant("jec-blocks", "JEC, but posts wake until the number of workers awake is a power of two",
		alternative{rules: rules{blocks: true}}),
	variant("jec-spinners", "JEC with the rule of Go's scheduler: a post wakes one worker, if none is searching",
		alternative{rules: rules{idleness: bySpinners}}),
	variant("jec-one-by-one", "JEC, but jobs that are known together are posted one by one",
		alternative{oneByOne: true}),
	variant("jec-dummy-flag", "JEC, and each push writes a flag that nothing reads",
		alternative{dummyFlag: true}),
	variant("jec-readme", "JEC exactly as in rayon's README, where rayon's code does more",
		alternative{rules: rules{literal: true}}),
	variant("rfc5", "RFC 5 as written: no jobs event counter, no final check",
		alternative{protocol: rfc5Protocol}),
	variant("rfc5-no-sleepy", "RFC 5 without the latch state SLEEPY",
		alternative{protocol: rfc5Protocol, noSleepy: true}),
	variant("tickle", "rayon's older protocol: one worker at a time is sleepy, every event wakes all",
		alternative{protocol: tickleProtocol}),
	variant("tickle-swap", "Tickle, but each tickle swaps the state without a look first",
		alternative{protocol: tickleProtocol, swaps: true}),
	variant("tickle-dummy-flag", "Tickle, and each push writes a flag that nothing reads",
		alternative{protocol: tickleProtocol, dummyFlag: true}),
}

// Variants returns all variants, the default first.
func Variants() []Variant { return slices.Clone(variants) }

// VariantNamed returns the variant of that name, and whether there is one.
func VariantNamed(name string) (Variant, bool) {
	for _, v := range variants {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}
