package strategy

import (
	"math"
	"math/bits"
	"strings"
)

const (
	// ordersKept is how many partial orders a portfolio remembers at most, a power of two: a
	// newer one takes the place of an older that falls on the same place (4 MB).
	ordersKept = 1 << 17
	// one is the fixed-point 1 of the bandit. It reckons in integers, since floating
	// point may be rounded differently on another machine.
	one = 1 << 16
	// lately is how many executions of the whole portfolio count: new orders get rarer
	// in the course of a search, and what was good once may be exhausted.
	lately = 1 << 10
)

// Portfolio runs several strategies in turn, more often those that found more partial orders
// (Result.Order) that no execution had before: a bandit, UCB1 over the last executions (Auer et
// al., Finite-time Analysis of the Multiarmed Bandit Problem, 2002). Without arguments it
// consists of Random, PCTCycle, POS, URW and SURW.
//
// A strategy that has nothing left to explore ends the portfolio if its search was complete, and
// drops out of it otherwise.
func Portfolio(arms ...Strategy) Strategy {
	if len(arms) == 0 {
		arms = standardArms()
	}
	p := &portfolio{seen: map[uint64]uint64{}}
	for _, s := range arms {
		observer, _ := s.(Observer)
		p.arms = append(p.arms, arm{Strategy: s, observer: observer})
	}
	return p
}

// standardArms returns the arms of a portfolio for which none are given, and standardNames has their names.
func standardArms() []Strategy { return []Strategy{Random(), PCTCycle(), POS(), URW(), SURW()} }

var standardNames = namesOf(standardArms())

func namesOf[S Strategy](all []S) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name()
	}
	return strings.Join(names, ",")
}

type portfolio struct {
	arms   []arm
	now    int               // the arm of this execution
	seen   map[uint64]uint64 // partial orders, by their lowest bits
	recent [lately]pull
	pulls  int // in all
}

// An arm is a strategy and how it did in the last executions.
type arm struct {
	Strategy
	observer     Observer
	tries, fresh int
	over         bool // it has nothing left to explore
}

// A pull is the outcome of an execution.
type pull struct {
	arm   int
	fresh bool
}

func (p *portfolio) Name() string {
	if list := namesOf(p.arms); list != standardNames {
		return "portfolio(" + list + ")"
	}
	return Recommended
}

func (p *portfolio) Begin(x Execution) bool {
	for {
		p.now = p.best()
		if p.now < 0 {
			return false
		}
		a := &p.arms[p.now]
		if a.Begin(x) {
			return true
		}
		a.over = true
		if complete(a.Strategy) {
			return false
		}
	}
}

func complete(s Strategy) bool {
	c, ok := s.(interface{ Complete() bool })
	return ok && c.Complete()
}

// Bounded describes what the strategies that ended have left out: nothing, if one of them
// was complete.
func (p *portfolio) Bounded() string {
	var all []string
	for i := range p.arms {
		a := &p.arms[i]
		if complete(a.Strategy) {
			return ""
		}
		if a.over {
			all = append(all, a.Name()+": "+Bounded(a.Strategy))
		}
	}
	return strings.Join(all, "; ")
}

// best returns the arm to pull, or -1 if none is left: one that has not been pulled lately, or
// that with the highest upper confidence bound.
func (p *portfolio) best() int {
	best, highest := -1, uint64(0)
	for i := range p.arms {
		a := &p.arms[i]
		switch {
		case a.over:
			continue
		case a.tries == 0:
			return i
		}
		if bound := a.bound(min(p.pulls, lately)); best < 0 || bound > highest {
			best, highest = i, bound
		}
	}
	return best
}

// bound returns the mean of an arm's rewards, and how much higher it may well be:
// sqrt(2*ln(n)/tries), n being the pulls of all arms. ln(n) is taken as the bits of n times ln 2.
func (a *arm) bound(n int) uint64 {
	const ln2 = 45426 // times one
	ln := uint64(bits.Len(uint(n))) * ln2
	// An integer below 2^53 has an exact root's floor: the root is rounded correctly.
	return uint64(a.fresh*one/a.tries) + uint64(math.Sqrt(float64(2*ln*one/uint64(a.tries))))
}

// Chooser implements Delegator.
func (p *portfolio) Chooser() Strategy { return p.arms[p.now].Strategy }

func (p *portfolio) Next(c *Choice) int { return p.arms[p.now].Next(c) }

func (p *portfolio) Pick(c *Choice, n int) int { return p.arms[p.now].Pick(c, n) }

// SkipsForced asks the strategy of this execution.
func (p *portfolio) SkipsForced() bool {
	s, ok := p.arms[p.now].Strategy.(Skipper)
	return ok && s.SkipsForced()
}

// SwitchesAfter asks the strategy of this execution.
func (p *portfolio) SwitchesAfter() bool {
	s, ok := p.arms[p.now].Strategy.(AfterSwitcher)
	return ok && s.SwitchesAfter()
}

// Happened notifies the strategy of this execution, if it is an Observer.
func (p *portfolio) Happened(e Event) {
	if o := p.arms[p.now].observer; o != nil {
		o.Happened(e)
	}
}

// OnlySpawns asks the strategy of this execution.
func (p *portfolio) OnlySpawns() bool {
	o := p.arms[p.now].observer
	s, ok := o.(SpawnObserver)
	return o == nil || ok && s.OnlySpawns()
}

func (p *portfolio) End(r Result) {
	p.arms[p.now].End(r)
	old := &p.recent[p.pulls%lately]
	if p.pulls >= lately {
		p.arms[old.arm].add(old.fresh, -1)
	}
	*old = pull{arm: p.now, fresh: p.isNew(r.Order)}
	p.arms[p.now].add(old.fresh, 1)
	p.pulls++
}

func (a *arm) add(fresh bool, times int) {
	a.tries += times
	if fresh {
		a.fresh += times
	}
}

// isNew reports whether an order is not among those remembered, and remembers it.
func (p *portfolio) isNew(order uint64) bool {
	if known, ok := p.seen[order%ordersKept]; ok && known == order {
		return false
	}
	p.seen[order%ordersKept] = order
	return true
}
