//go:build chaos

package control

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
)

// shared is what the tasks of a random program share.
type shared struct {
	cells [2]atomic.Int64
	mu    sync.Mutex
	post  chan int
}

// A doing is an operation of a task of a random program. It returns what the task has
// learnt by it, and whether the task continues.
type doing func(s *shared) (learnt int64, ends bool)

// aDoing draws an operation. Polls are a third of them.
func aDoing(r *rand.Rand) (name string, do doing) {
	cell, v := r.IntN(2), int64(r.IntN(3))
	switch r.IntN(11) {
	case 0:
		return fmt.Sprintf("store %d %d", cell, v), func(s *shared) (int64, bool) { s.cells[cell].Store(v); return 0, false }
	case 1:
		return fmt.Sprintf("load %d", cell), func(s *shared) (int64, bool) { return s.cells[cell].Load(), false }
	case 2:
		return fmt.Sprintf("add %d", cell), func(s *shared) (int64, bool) { return s.cells[cell].Add(1), false }
	case 3:
		return fmt.Sprintf("cas %d %d", cell, v), func(s *shared) (int64, bool) {
			if s.cells[cell].CompareAndSwap(v, v+1) {
				return 1, false
			}
			return 0, false
		}
	case 4:
		return fmt.Sprintf("section %d", cell), func(s *shared) (int64, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.cells[cell].Add(2), false
		}
	case 5:
		return "send", func(s *shared) (int64, bool) { channel.Send(s.post, 1); return 0, false }
	case 6:
		return "receive", func(s *shared) (int64, bool) { return int64(channel.Receive(s.post)), false }
	}
	rounds, kind := 1+r.IntN(20), r.IntN(5)
	return fmt.Sprintf("poll %d for %d, %d times, kind %d", cell, v, rounds, kind), func(s *shared) (int64, bool) {
		return 0, s.poll(cell, v, rounds, kind)
	}
}

// poll reports whether the cell came to hold v while it was looked at.
func (s *shared) poll(cell int, v int64, rounds, kind int) bool {
	for range rounds {
		switch kind {
		case 0, 1:
			if s.cells[cell].Load() == v {
				return true
			}
		case 2:
			if s.cells[cell].Load() == v && s.cells[1-cell].Load() != v {
				return true
			}
		case 3:
			if s.cells[cell].CompareAndSwap(v, v+3) {
				return true
			}
		case 4:
			if s.mu.TryLock() {
				s.mu.Unlock()
				return true
			}
		}
		if kind == 1 {
			hooks.Gosched()
		}
	}
	return false
}

// randomPolls is a program of two or three tasks, and its text. What follows a poll
// begins with another operation: reads that keep reading the same are one loop to the
// engine. See TestWhatSpinningLeavesOut.
func randomPolls(r *rand.Rand) (text string, subject func(say func(string))) {
	tasks := make([][]doing, 2+r.IntN(2))
	for i := range tasks {
		text += "| "
		after := false
		for range 1 + r.IntN(3) {
			name, do := aDoing(r)
			for after && (strings.HasPrefix(name, "poll") || strings.HasPrefix(name, "load") || strings.HasPrefix(name, "cas")) {
				name, do = aDoing(r)
			}
			after = strings.HasPrefix(name, "poll")
			tasks[i] = append(tasks[i], do)
			text += name + "; "
		}
	}
	return text, func(say func(string)) {
		s := &shared{post: make(chan int, 1)}
		learnt := make([]string, len(tasks))
		run := func(i int) func() {
			return func() {
				for _, do := range tasks[i] {
					v, ends := do(s)
					if learnt[i] += fmt.Sprint(v, ends, " "); ends {
						return
					}
				}
				learnt[i] += "."
			}
		}
		for i := range tasks {
			go hooks.Task(run(i))()
		}
		say("") // main has nothing to do with it
		outcomeOf = func() string {
			return fmt.Sprint(strings.Join(learnt, "|"), s.cells[0].Load(), s.cells[1].Load(), len(s.post))
		}
	}
}

// outcomeOf says what the program under way has come to.
var outcomeOf func() string

// outcomesBy explores a program, and returns how often it came to what.
func outcomesBy(t *testing.T, s strategy.Strategy, few, most int, subject func(say func(string))) (all map[string]int, complete bool) {
	t.Helper()
	e := startAlone(t, Options{Strategy: s})
	defer e.Close()
	e.in.ExploredRepeats = few
	all = map[string]int{}
	for range most {
		r, more := e.Run(1, func() { subject(func(string) {}) })
		if !more {
			return all, true
		}
		what := outcomeOf()
		if r.Verdict != verdict.Pass {
			what += " " + string(r.Verdict)
		}
		all[what]++
	}
	return all, false
}

// What a search comes to that holds spinning tasks back, or runs them on, is what one
// comes to that knows nothing of spinning: on programs with polls.
func TestSpinningLosesNoOutcome(t *testing.T) {
	if racing.Detector {
		t.Skip("the subjects say what they say unsynchronised")
	}
	r := rand.New(rand.NewPCG(1, 2))
	full, byDFS, byDPOR, collapsed := 0, 0, 0, 0
	for programs := 0; programs < 300; {
		text, subject := randomPolls(r)
		want, complete := outcomesBy(t, strategy.DFS(-1), math.MaxInt, 4000, subject)
		if !complete {
			continue
		}
		programs++
		n := sum(want)
		full += n
		for _, few := range []int{1, 3, core.ExploredRepeats} {
			for _, s := range []strategy.Strategy{strategy.DFS(-1), strategy.DPOR()} {
				got, complete := outcomesBy(t, s, few, n+1, subject)
				if bounded := strategy.Bounded(s); bounded != "" {
					collapsed++
				}
				if a, b := slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)); !complete || !slices.Equal(a, b) {
					t.Errorf("%s from %d repeats on, complete in as many executions: %v; %d outcomes of %d\n%s\n%q\n%q", s.Name(), few, complete, len(b), len(a), text, a, b)
				}
				if s.Name() == "dpor" {
					byDPOR += sum(got)
				} else {
					byDFS += sum(got)
				}
			}
		}
	}
	t.Logf("%d executions; 3 times %d by DFS and %d by DPOR that know spinning; %d searches of 1800 bounded by it", full, byDFS/3, byDPOR/3, collapsed)
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Where another poll follows, or another look at the same, an exhaustive search may miss
// what a write between the two leads to; it says so. Searches at random do not miss it.
func TestWhatSpinningLeavesOut(t *testing.T) {
	subject := func(say func(string)) {
		var flag atomic.Bool
		tasks(func() {
			for range 16 {
				if flag.Load() {
					return
				}
			}
			if flag.Load() {
				say("between")
			}
		})
		flag.Store(true)
	}
	for _, s := range []strategy.Strategy{strategy.DFS(-1), strategy.DPOR()} {
		_, n, over := exhaust(t, s, 1000, subject)
		if x := s.(strategy.Exhaustive); !over || x.Complete() || !strings.Contains(x.Bounded(), "spinning") {
			t.Errorf("%s: over after %d executions: %v; complete: %v; bounded: %q", s.Name(), n, over, x.Complete(), x.Bounded())
		}
	}
	for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle(), strategy.POS(), strategy.URW(), strategy.SURW(), strategy.Portfolio()} {
		found := false
		e := start(t, Options{Strategy: s})
		for n := 0; n < 60_000 && !found; n++ {
			e.Run(strategy.ChildKey(strategy.ChildKey(1, 0), n), func() { subject(func(string) { found = true }) })
		}
		e.Close()
		if !found {
			t.Errorf("%s: not found", s.Name())
		}
	}
}

// The first rounds of a loop are explored one by one, and a search that meets no others
// is complete.
func TestShortPollsAreExploredOneByOne(t *testing.T) {
	for _, s := range []strategy.Strategy{strategy.DFS(-1), strategy.DPOR()} {
		found, _, _ := exhaust(t, s, 10_000, func(say func(string)) {
			var flag atomic.Bool
			tasks(func() { flag.Store(true) })
			rounds := 0
			for ; rounds < core.ExploredRepeats && !flag.Load(); rounds++ {
			}
			say(fmt.Sprint(rounds))
		})
		if x := s.(strategy.Exhaustive); !x.Complete() || x.Bounded() != "" || len(found) != core.ExploredRepeats+1 {
			t.Errorf("%s: %d outcomes; complete: %v; bounded: %q", s.Name(), len(found), x.Complete(), x.Bounded())
		}
	}
}
