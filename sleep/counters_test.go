package sleep

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
)

// genWidths generates all widths that New accepts, the narrow ones often.
func genWidths() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := rand.New(rand.NewPCG(p.NextUint64(), 0))
		width := func(most int) int {
			if r.IntN(2) == 0 {
				return 1 + r.IntN(min(most, 3))
			}
			return 1 + r.IntN(most)
		}
		w := Widths{Sleeping: width(30), Inactive: width(30)}
		w.JEC = width(min(62, 64-w.Sleeping-w.Inactive))
		return gopter.NewGenResult(w, gopter.NoShrinker)
	})
}

// counterModel is what the three counters ought to be.
type counterModel struct {
	Widths  Widths
	Workers int
	Counters
	// Stale is the reading that the last Snapshot returned.
	Stale Counters
}

func (m counterModel) modulo(jec uint64) uint64 { return jec & (1<<m.Widths.JEC - 1) }

// counterSubject is the subject: the protocol's counters and a snapshot of them.
type counterSubject struct {
	*jec
	stale word
}

func (s *counterSubject) seen(returned any) any { return fmt.Sprint(returned, s.Counters()) }

func counterCommand(name string, when func(m counterModel) bool, step func(m *counterModel) any, run func(s *counterSubject) any) proptest.Command[counterModel, *counterSubject] {
	return proptest.Command[counterModel, *counterSubject]{
		Name: name,
		When: when,
		Step: func(m counterModel) (counterModel, any) {
			returned := step(&m)
			return m, fmt.Sprint(returned, m.Counters)
		},
		Run: func(s *counterSubject) any { return s.seen(run(s)) },
	}
}

var counterCommands = []proptest.Command[counterModel, *counterSubject]{
	counterCommand("C1 addInactive",
		func(m counterModel) bool { return m.Inactive < m.Workers },
		func(m *counterModel) any { m.Inactive++; return nil },
		func(s *counterSubject) any { s.counters.addInactive(); return nil }),
	counterCommand("C2 subInactive",
		func(m counterModel) bool { return m.Inactive > m.Sleeping },
		func(m *counterModel) any { m.Inactive--; return m.Counters },
		func(s *counterSubject) any { return s.counters.subInactive() }),
	counterCommand("C3 subSleeping",
		func(m counterModel) bool { return m.Sleeping > 0 },
		func(m *counterModel) any { m.Sleeping--; return nil },
		func(s *counterSubject) any { s.counters.subSleeping(); return nil }),
	counterCommand("C4 postJobs", nil,
		func(m *counterModel) any {
			if m.JEC%2 == 0 {
				m.JEC = m.modulo(m.JEC + 1)
			}
			return m.Counters
		},
		func(s *counterSubject) any { return s.counters.unpack(s.postJobs(s.counters.load())) }),
	counterCommand("C4 announceSleepy", nil,
		func(m *counterModel) any {
			if m.JEC%2 == 1 {
				m.JEC = m.modulo(m.JEC + 1)
			}
			return m.JEC
		},
		func(s *counterSubject) any { return s.announceSleepy() }),
	counterCommand("snapshot", nil,
		func(m *counterModel) any { m.Stale = m.Counters; return nil },
		func(s *counterSubject) any { s.stale = s.counters.load(); return nil }),
	counterCommand("C5 trySleeping",
		func(m counterModel) bool { return m.Sleeping < m.Inactive },
		func(m *counterModel) any {
			if m.Stale != m.Counters {
				return false
			}
			m.Sleeping++
			return true
		},
		func(s *counterSubject) any { return s.counters.trySleeping(s.stale) }),
}

// Catches: a counter that carries into its neighbour, a JEC whose roll-over
// changes the thread counters, a wrong parity, a wrong number of workers to
// wake, a trySleeping that overlooks what has changed since its snapshot.
func TestCountersMatchModel(t *testing.T) {
	proptest.Check(t, 300, 60, proptest.Machine[counterModel, *counterSubject]{
		Initial: gopter.CombineGens(genWidths(), gen.UInt64(), gen.IntRange(1, 5), gen.Bool()).Map(func(v []any) counterModel {
			m := counterModel{Widths: v[0].(Widths)}
			m.Workers = min(v[2].(int), m.Widths.MaxWorkers())
			m.JEC = m.modulo(v[1].(uint64))
			if v[3].(bool) {
				m.JEC = m.modulo(^uint64(0)) // about to roll over
			}
			m.Stale = m.Counters
			return m
		}),
		New: func(m counterModel) *counterSubject {
			s := jecOf(t, m.Workers, WithWidths(m.Widths), WithInitialJEC(m.JEC))
			return &counterSubject{s, s.counters.load()}
		},
		Commands: func(counterModel) []proptest.Command[counterModel, *counterSubject] { return counterCommands },
	}.Property())
}

// Catches: a JEC (rolled by a fault, or given by the user) that spills over its
// width, or that withJEC puts into a wrong place.
func TestWithJEC(t *testing.T) {
	proptest.Check(t, 500, 100, prop.ForAll(func(w Widths, before, jec uint64, threads uint64) bool {
		var c atomicCounters
		c.init(w, before)
		workers := uint64(w.MaxWorkers())
		inactive := threads % (workers + 1)
		sleeping := threads % (inactive + 1)
		old := c.load() + word(inactive)*c.oneInactive + word(sleeping)*oneSleeping
		mask := uint64(1)<<w.JEC - 1
		return c.unpack(old) == Counters{int(sleeping), int(inactive), before & mask} &&
			c.unpack(c.withJEC(old, jec)) == Counters{int(sleeping), int(inactive), jec & mask} &&
			c.isSleepy(old) == (before%2 == 0)
	}, genWidths(), gen.UInt64(), gen.UInt64(), gen.UInt64()))
}

// Catches: a subInactive (say, load and store) that loses an update, and any
// moment at which more workers sleep than are inactive. Every worker goes in and
// out of the idle state, with the JEC of one bit rolling all the while.
func TestCountersConcurrently(t *testing.T) {
	const workers, rounds = 3, 2000
	s := jecOf(t, workers, WithWidths(Widths{Sleeping: 2, Inactive: 2, JEC: 1}), WithInitialJEC(1))
	check := func(c Counters) {
		if c.Sleeping > c.Inactive || c.Inactive > workers || c.JEC > 1 {
			t.Errorf("sleeping <= inactive <= %d does not hold: %+v", workers, c)
		}
	}
	var functions []func()
	for range workers {
		functions = append(functions, func() {
			for range rounds {
				s.counters.addInactive()
				s.announceSleepy()
				for {
					now := s.counters.load()
					check(s.counters.unpack(now))
					if s.counters.trySleeping(now) {
						break
					}
				}
				check(s.counters.unpack(s.postJobs(s.counters.load())))
				s.counters.subSleeping()
				check(s.counters.subInactive())
			}
		})
	}
	proptest.Together(functions...)
	if c := s.Counters(); c.Sleeping != 0 || c.Inactive != 0 {
		t.Errorf("all are active again, but %+v", c)
	}
}

// Catches: a parameter that is taken though the counters cannot hold it, and a
// message that does not say what would be right.
func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		workers int
		option  Option
		want    string
	}{
		{0, nil, "sleep: 0 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{-1, nil, "sleep: -1 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{1 << 16, nil, "sleep: 65536 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{4, WithWidths(Widths{2, 16, 32}), "sleep: 4 workers: want 1 to 3 (the widths of the counters allow no more)"},
		{2, WithWidths(Widths{16, 1, 32}), "sleep: 2 workers: want 1 to 1 (the widths of the counters allow no more)"},
		{1, WithWidths(Widths{0, 16, 32}), "sleep: 0 bits for the sleeping counter: want 1 to 30"},
		{1, WithWidths(Widths{31, 16, 16}), "sleep: 31 bits for the sleeping counter: want 1 to 30"},
		{1, WithWidths(Widths{16, 0, 32}), "sleep: 0 bits for the inactive counter: want 1 to 30"},
		{1, WithWidths(Widths{1, 31, 31}), "sleep: 31 bits for the inactive counter: want 1 to 30"},
		{1, WithWidths(Widths{16, 16, 0}), "sleep: 0 bits for the JEC counter: want 1 to 62"},
		{1, WithWidths(Widths{1, 1, 63}), "sleep: 63 bits for the JEC counter: want 1 to 62"},
		{1, WithWidths(Widths{16, 16, 33}), "sleep: counters of 65 bits in all: want at most 64"},
		{1, WithRoundsUntilSleepy(-1), "sleep: -1 rounds until sleepy: want 0 to 1048576"},
		{1, WithRoundsUntilSleepy(1<<20 + 1), "sleep: 1048577 rounds until sleepy: want 0 to 1048576"},
	} {
		s, err := New(c.workers, c.option)
		if err == nil || err.Error() != c.want || s != nil {
			t.Errorf("New(%d, ...): %v, %v; want %q", c.workers, s, err, c.want)
		}
	}
}

// Catches: defaults that are not rayon's, and extremes that New ought to take.
func TestNewAccepts(t *testing.T) {
	s := jecOf(t, 1)
	if s.roundsUntilSleepy != 32 || s.Counters() != (Counters{}) || s.counters.oneInactive != 1<<16 || s.counters.oneJEC != 1<<32 {
		t.Errorf("defaults: %d rounds, %+v, one inactive %#x, one JEC %#x", s.roundsUntilSleepy, s.Counters(), s.counters.oneInactive, s.counters.oneJEC)
	}
	for _, w := range []Widths{{1, 1, 1}, {30, 30, 4}, {1, 1, 62}} {
		if _, err := New(1, WithWidths(w), WithRoundsUntilSleepy(1<<20)); err != nil {
			t.Error(err)
		}
	}
	if s, err := New(3, WithWidths(Widths{2, 2, 3}), WithInitialJEC(13)); err != nil || s.Counters() != (Counters{JEC: 5}) {
		t.Errorf("the initial JEC is taken modulo its width: %+v, %v", s.Counters(), err)
	}
}

// Catches: a nil option that is called, or that hides those after it.
func TestNilOptionsAreIgnored(t *testing.T) {
	s, err := New(1, nil, WithInitialJEC(7), nil)
	if err != nil || s.Counters().JEC != 7 {
		t.Errorf("%+v, %v; want a JEC of 7", s, err)
	}
}

// Catches: a variant whose options do not replace those of another.
func TestLastVariantCounts(t *testing.T) {
	tickles, _ := VariantNamed("tickle")
	rfc5, _ := VariantNamed("rfc5")
	s, err := New(1, append(tickles.Options, rfc5.Options...)...)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%T", s.Strategy) != "*sleep.rfc5" {
		t.Errorf("%T, want RFC 5", s.Strategy)
	}
}
