package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// strategiesFlag is a flag: names of Strategies.
type strategiesFlag []string

// allStrategies stands for all of them.
const allStrategies = "all"

func (s *strategiesFlag) String() string { return strings.Join(*s, ",") }
func (s *strategiesFlag) Type() string   { return "names" }
func (s *strategiesFlag) Set(text string) error {
	have := Strategies()
	if text == allStrategies {
		*s = have
		return nil
	}
	var chosen []string
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(have, name) {
			return fmt.Errorf("unknown strategy %q; %s", nearest.Clip(name), nearest.Hint(name, append(have, allStrategies)))
		}
		if slices.Contains(chosen, name) {
			return fmt.Errorf("%s is named twice", name)
		}
		chosen = append(chosen, name)
	}
	*s = chosen
	return nil
}
