package strategy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrUnknown is wrapped by the errors of Parse.
var ErrUnknown = errors.New("no such strategy")

// A named strategy is written as its name, or with a number in parentheses. One that
// accepts both has both functions.
type named struct {
	name   string
	plain  func() Strategy
	number func(n int) Strategy
	min    int // the smallest number
}

var names = []named{
	{name: "random", plain: Random},
	{name: "pct", plain: PCTCycle, number: PCT, min: 1},
	{name: "pos", plain: POS},
	{name: "urw", plain: URW},
	{name: "surw", plain: SURW},
	{name: "dfs", plain: func() Strategy { return DFS(-1) }, number: DFS},
	{name: "dpor", plain: DPOR},
	{name: Recommended, plain: func() Strategy { return Portfolio() }},
	{name: "default", plain: Default},
}

// Recommended is the name of the strategy for those who name none. It alternates between several, since some bugs are
// found by one of them only.
const Recommended = "portfolio"

// Names lists what Parse accepts: "random", "pct", "pct(N)".
func Names() []string {
	var all []string
	for _, n := range names {
		if n.plain != nil {
			all = append(all, n.name)
		}
		if n.number != nil {
			all = append(all, n.name+"(N)")
		}
	}
	return all
}

// Parse returns a new strategy by its name, as the strategy's own Name gives it:
// "pct(3)" is PCT of depth 3, "pct" cycles through the depths; "dfs(3)" is DFS with
// at most 3 preemptions, "dfs" with any number. An error wraps ErrUnknown and lists
// what is accepted.
func Parse(name string) (Strategy, error) {
	base, parameter, has := strings.Cut(name, "(")
	for _, n := range names {
		if n.name != base {
			continue
		}
		if !has {
			return n.plain(), nil
		}
		digits, closed := strings.CutSuffix(parameter, ")")
		value, err := strconv.Atoi(digits)
		switch {
		case n.number == nil:
			return nil, fmt.Errorf("%w: %q: %s takes no parameter: write %q", ErrUnknown, name, base, base)
		case !closed || err != nil || value < n.min || strconv.Itoa(value) != digits:
			return nil, fmt.Errorf("%w: %q: %s takes a whole number from %d on: write %q", ErrUnknown, name, base, n.min, base+"(3)")
		}
		return n.number(value), nil
	}
	return nil, fmt.Errorf("%w: %q: the strategies are %s", ErrUnknown, name, strings.Join(Names(), ", "))
}
