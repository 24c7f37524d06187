package strategy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrUnknown is wrapped by the errors of Parse.
var ErrUnknown = errors.New("no such strategy")

// A named strategy is written alone, or with a number, or either.
type named struct {
	name  string
	alone func() Strategy
	with  func(n int) Strategy
	least int // what with takes
}

var names = []named{
	{name: "random", alone: Random},
	{name: "pct", alone: PCTCycle, with: PCT, least: 1},
	{name: "pos", alone: POS},
	{name: "urw", alone: URW},
	{name: "surw", alone: SURW},
	{name: "dfs", alone: func() Strategy { return DFS(-1) }, with: DFS},
	{name: "dpor", alone: DPOR},
	{name: "portfolio", alone: func() Strategy { return Portfolio() }},
	{name: "default", alone: Default},
}

// Names lists what Parse understands: "random", "pct", "pct(N)".
func Names() []string {
	var all []string
	for _, n := range names {
		if n.alone != nil {
			all = append(all, n.name)
		}
		if n.with != nil {
			all = append(all, n.name+"(N)")
		}
	}
	return all
}

// Parse returns a new strategy by its name, as the strategy's own Name gives it:
// "pct(3)" is PCT of depth 3, "pct" cycles through the depths; "dfs(3)" is DFS with
// at most 3 preemptions, "dfs" with any number. An error wraps ErrUnknown and says
// what is right.
func Parse(name string) (Strategy, error) {
	base, parameter, has := strings.Cut(name, "(")
	for _, n := range names {
		if n.name != base {
			continue
		}
		if !has {
			return n.alone(), nil
		}
		digits, closed := strings.CutSuffix(parameter, ")")
		value, err := strconv.Atoi(digits)
		switch {
		case n.with == nil:
			return nil, fmt.Errorf("%w: %q: %s takes no parameter: write %q", ErrUnknown, name, base, base)
		case !closed || err != nil || value < n.least || strconv.Itoa(value) != digits:
			return nil, fmt.Errorf("%w: %q: %s takes a whole number from %d on: write %q", ErrUnknown, name, base, n.least, base+"(3)")
		}
		return n.with(value), nil
	}
	return nil, fmt.Errorf("%w: %q: the strategies are %s", ErrUnknown, name, strings.Join(Names(), ", "))
}
