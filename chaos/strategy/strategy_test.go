package strategy

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// every returns one of each strategy.
func every(t testing.TB) []Strategy {
	var all []Strategy
	for _, name := range Names() {
		name = strings.Replace(name, "N", "3", 1)
		s, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Name() != name {
			t.Errorf("%q by name is %q", name, s.Name())
		}
		all = append(all, s)
	}
	return all
}

func seeded(name string) bool {
	return name != "default" && !strings.HasPrefix(name, "dfs") && name != "dpor"
}

// schedules runs some executions and returns what was chosen.
func schedules(p *program, s Strategy, seed uint64, n int) (all []int) {
	m := newSim(p)
	m.limit = 200
	m.explore(s, seed, func(i int, _ outcome) bool {
		all = append(append(append(all, m.trace...), m.picks...), -1)
		return i+1 < n
	})
	return all
}

// The same seed gives the same schedules, and another seed others, whatever the
// subject; a strategy without a seed ignores it.
func TestDeterminism(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const executions = 40
	for range 50 {
		p := generate(r, 16)
		for i, s := range every(t) {
			again, other := every(t)[i], every(t)[i]
			first := schedules(p, s, 1, executions)
			if !slices.Equal(first, schedules(p, again, 1, executions)) {
				t.Errorf("%s: the same seed gave other schedules", s.Name())
			}
			if same := slices.Equal(first, schedules(p, other, 2, executions)); same == seeded(s.Name()) && len(first) > 12*executions {
				t.Errorf("%s: the same schedules by another seed: %v", s.Name(), same)
			}
		}
	}
}

func TestDefaultIsCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		m := newSim(generate(r, 12))
		s := Default()
		m.execute(s, Execution{Seed: 1})
		trace := slices.Clone(m.trace)
		m.execute(DFS(0), Execution{Seed: 2})
		if o, _ := m.execute(s, Execution{Seed: 2}); !slices.Equal(trace, m.trace) || o.preemptions != 0 {
			t.Errorf("%d preemptions; %v, then %v", o.preemptions, trace, m.trace)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for name, want := range map[string]string{
		"":                           `"": the strategies are random, pct, pct(N)`,
		"PCT":                        `"PCT": the strategies are`,
		"random(1)":                  `"random(1)": random takes no parameter: write "random"`,
		"pct(0)":                     `"pct(0)": pct takes a whole number from 1 on: write "pct(3)"`,
		"pct(":                       `"pct(": pct takes a whole number`,
		"pct()":                      `"pct()": pct takes a whole number`,
		"pct(3":                      `"pct(3": pct takes a whole number`,
		"pct(3))":                    `"pct(3))": pct takes a whole number`,
		"pct(+3)":                    `"pct(+3)": pct takes a whole number`,
		"pct(3) ":                    `"pct(3) ": pct takes a whole number`,
		"dfs(-1)":                    `"dfs(-1)": dfs takes a whole number from 0 on: write "dfs(3)"`,
		"dfs(a)":                     `"dfs(a)": dfs takes a whole number`,
		"pct(999999999999999999999)": `takes a whole number`,
	} {
		s, err := Parse(name)
		if s != nil || !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want %s", name, s, err, want)
		}
	}
	if s, err := Parse("dfs(0)"); err != nil || s.Name() != "dfs(0)" {
		t.Errorf("Parse(dfs(0)) = %v, %v", s, err)
	}
}

// Tables are kept from one execution to the next.
func TestNoAllocations(t *testing.T) {
	for _, s := range every(t) {
		f := newFeed(8)
		for range 200 {
			f.execute(s)
		}
		if n := testing.AllocsPerRun(200, func() { f.execute(s) }); n > 1 { // what is kept of the past may grow
			t.Errorf("%s: %v allocations an execution", s.Name(), n)
		}
	}
}

// Catches: a name that Parse takes but does not give back, and an error that is not ErrUnknown.
func FuzzParse(f *testing.F) {
	for _, name := range append(Names(), "pct(3)", "pct(0)", "pct(-1)", "pct(03)", "pct(3", "pct()", "pct(3)(3)", "dfs(0)", "dfs(9223372036854775807)", "random(1)", "PCT(3)", " pos", "", "pct(\x00)") {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s, err := Parse(name)
		if err != nil {
			if s != nil || !errors.Is(err, ErrUnknown) {
				t.Fatalf("%q: %v, %v", name, s, err)
			}
			return
		}
		again, err := Parse(s.Name())
		if err != nil || again.Name() != s.Name() {
			t.Fatalf("%q is %q, and that: %v", name, s.Name(), err)
		}
		if name != s.Name() {
			t.Fatalf("%q is called %q", name, s.Name())
		}
	})
}
