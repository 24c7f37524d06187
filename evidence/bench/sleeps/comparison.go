package sleeps

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/sleep"
)

// A Config is one way to sleep.
type Config struct {
	Name    string
	Options []sleep.Option
	// Seed holds the cost of this way in the seed document, by demo: "+8-10 %".
	Seed map[string]string
}

// A Comparison compares ways to sleep with the first of them.
type Comparison struct {
	Name    string
	About   string
	Configs []Config
}

// Comparisons returns all comparisons.
func Comparisons() []Comparison {
	return []Comparison{
		{"strategies", "All that package sleep knows; the first is the default.", variants()},
		{"tickle", "rayon's older protocol, compared with the one that has replaced it.", variants("jec", "tickle")},
		{"swap", "Tickling by a swap, compared with a look first whether there is a worker to tickle.", seeded(variants("tickle", "tickle-swap"), swapping)},
		{"flag", "A flag that is written with every push, compared with none, with Tickle.", seeded(variants("tickle", "tickle-dummy-flag"), flagging)},
		{"flag-jec", "A flag that is written with every push, compared with none, with JEC.", variants("jec", "jec-dummy-flag")},
		{"rounds", "How many failed searches a worker makes before it is sleepy; the first is the default.", rounds()},
	}
}

// The additional run time of the second way over the first in seed 004.
var (
	swapping = map[string]string{"nbody-parreduce": "+8-10 %", "increment-all": "+35 %", "join-recursively": "+245 %"}
	flagging = map[string]string{"nbody-parreduce": "+8-10 %", "increment-all": "+15 %", "join-recursively": "+40 %"}
)

func seeded(configs []Config, seed map[string]string) []Config {
	configs[1].Seed = seed
	return configs
}

// variants returns the variants of package sleep with one of the names, or all without
// names.
func variants(names ...string) (configs []Config) {
	for _, v := range sleep.Variants() {
		if len(names) == 0 || slices.Contains(names, v.Name) {
			configs = append(configs, Config{Name: v.Name, Options: v.Options})
		}
	}
	return configs
}

// rounds returns values for N, which is "to be determined by experimentation" (RFC 5).
func rounds() []Config {
	configs := []Config{{Name: fmt.Sprintf("N=%d", sleep.DefaultRoundsUntilSleepy)}}
	for _, n := range []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1024} {
		if n != sleep.DefaultRoundsUntilSleepy {
			configs = append(configs, Config{Name: fmt.Sprintf("N=%d", n), Options: []sleep.Option{sleep.WithRoundsUntilSleepy(n)}})
		}
	}
	return configs
}
