package sleeps

import (
	"fmt"

	"github.com/rouse-go/rouse/sleep"
)

// A Config is one way to sleep.
type Config struct {
	Name    string
	Options []sleep.Option
	// Seed is what the seed document says that this costs, by demo: "+8-10 %".
	Seed map[string]string
}

// A Comparison sets ways to sleep beside the first of them.
type Comparison struct {
	Name    string
	About   string
	Configs []Config
}

// Comparisons returns all that there are. A new way to sleep is one line here.
func Comparisons() []Comparison {
	return []Comparison{
		{"rounds", "How many searches in vain a worker makes before it is sleepy; the first is the default.", rounds()},
	}
}

// rounds are the values of which N is "to be determined by experimentation" (RFC 5).
func rounds() []Config {
	configs := []Config{{Name: fmt.Sprintf("%d rounds", sleep.DefaultRoundsUntilSleepy)}}
	for _, n := range []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 1024} {
		if n != sleep.DefaultRoundsUntilSleepy {
			configs = append(configs, Config{Name: fmt.Sprintf("%d rounds", n), Options: []sleep.Option{sleep.WithRoundsUntilSleepy(n)}})
		}
	}
	return configs
}
