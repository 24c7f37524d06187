package kill

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Words parses the words after a program's name: "name=2" for a number, "name" for a switch, separated
// by spaces. Variables without a word keep their values.
func Words(program string, numbers map[string]*int, switches map[string]*bool) error {
	seen := map[string]bool{}
	for _, word := range strings.Fields(program) {
		name, value, has := strings.Cut(word, "=")
		number, isNumber := numbers[name]
		on, isSwitch := switches[name]
		switch n, err := strconv.ParseUint(value, 10, 31); {
		case seen[name]:
			return fmt.Errorf("duplicate word %s", name)
		case !isNumber && !isSwitch:
			known := slices.Concat(slices.Collect(maps.Keys(numbers)), slices.Collect(maps.Keys(switches)))
			slices.Sort(known)
			return fmt.Errorf("unknown word %q; %s", nearest.Clip(name), nearest.Hint(name, known))
		case isSwitch && has:
			return fmt.Errorf("found %q, want %q", word, name)
		case isSwitch:
			*on = true
		case err != nil:
			return fmt.Errorf("found %q, want %s=N, a whole number from 0 to %d", word, name, math.MaxInt32)
		default:
			*number = int(n)
		}
		seen[name] = true
	}
	return nil
}
