package pool

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracles that look at the pool's own counters (sleep/README.md,
// "Invariants").

// brokenCounters checks a reading taken at any moment.
func brokenCounters(c sleep.Counters, workers int) (subject.Finding, bool) {
	if c.Sleeping <= c.Inactive && c.Inactive <= workers {
		return subject.Finding{}, false
	}
	return subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf(
		"the counters say %d sleeping, %d inactive, of %d workers: want sleeping <= inactive <= workers",
		c.Sleeping, c.Inactive, workers)}, true
}

// brokenState checks a reading taken at any moment of a pool in which up to broadcasts broadcasts may have begun.
func brokenState(s pool.State, broadcasts int) (wrong []subject.Finding) {
	for _, w := range s.Workers {
		if w.Broadcasts < 0 || w.Broadcasts > broadcasts {
			wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf("%d broadcasts wait for %s, want 0 to %d", w.Broadcasts, w.Name, broadcasts)})
		}
		if w.WaitsFor == "" && w.Latch != sleep.Unset {
			wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf("%s runs a job, and waits for a latch that is %s", w.Name, w.Latch)})
		}
	}
	return wrong
}

// brokenSleepers checks the workers of JEC that sleep in both of two successive readings: each had
// its latch set up for that in between.
func brokenSleepers(before, after pool.State, strategy string) (wrong []subject.Finding) {
	if !strings.HasPrefix(strategy, "jec") {
		return nil
	}
	sleeps := map[int]uint64{}
	for _, w := range after.Workers {
		if w.Asleep {
			sleeps[w.Index] = w.Sleeps
		}
	}
	for _, w := range before.Workers {
		if n, asleep := sleeps[w.Index]; asleep && n == w.Sleeps && w.Asleep && !w.Notified {
			wrong = append(wrong, unsetLatch(w)...)
		}
	}
	return wrong
}

// unsetLatch checks the latch of a sleeping worker.
func unsetLatch(w pool.WorkerState) []subject.Finding {
	if w.Latch == sleep.Sleeping || w.Latch == sleep.Set {
		return nil
	}
	return []subject.Finding{{Verdict: verdict.Invariant, Summary: fmt.Sprintf("%s sleeps, and its latch is %s, want %s or %s", w.Name, w.Latch, sleep.Sleeping, sleep.Set)}}
}

// atRest reports whether every worker is asleep and none has been woken. Without outsiders, the pool then
// stays as it is.
func atRest(s pool.State) bool {
	for _, w := range s.Workers {
		if !w.Asleep || w.Notified {
			return false
		}
	}
	return true
}

// stateAtRest returns the state of a pool, and whether it is at rest. A state is read part by part, and a
// worker that seems to sleep may have been woken since by another, which sleeps only now. But if all seem
// to sleep twice, and none has fallen asleep in between, then all slept when the second reading began.
func stateAtRest(p *pool.Pool) (pool.State, bool) {
	before := p.State()
	if !atRest(before) {
		return before, false
	}
	s := p.State()
	same := slices.EqualFunc(before.Workers, s.Workers, func(a, b pool.WorkerState) bool { return a.Sleeps == b.Sleeps })
	return s, atRest(s) && same
}

// restingPool checks an open pool at rest.
func restingPool(s pool.State) []subject.Finding {
	n := len(s.Workers)
	return append(emptyQueues(s, "at rest"), unequal("at rest", []count{
		{"workers sleeping", s.Counters.Sleeping, n},
		{"workers inactive", s.Counters.Inactive, n},
		{"references", s.References, 1},
	})...)
}

// closedPool checks a pool whose Close has returned.
func closedPool(s pool.State) []subject.Finding {
	running := 0
	for _, w := range s.Workers {
		if !w.Ended {
			running++
		}
	}
	return append(emptyQueues(s, "closed"), unequal("closed", []count{
		{"workers running", running, 0},
		{"workers sleeping", s.Counters.Sleeping, 0},
		{"workers inactive", s.Counters.Inactive, 0},
		{"references", s.References, 0},
	})...)
}

// closedStats checks the statistics of a closed pool that made joins joins, and ran shares shares of broadcasts. A
// worker that takes back its own fork takes no job from a queue. A spare that ends, and a wait in Worker.Isolated,
// put jobs into a second queue: the check is not for pools with these.
func closedStats(s pool.Stats, joins, shares int) []subject.Finding {
	wrong := unequal("closed", []count{{"joins by its statistics", int(s.Joins), joins}})
	queued := s.Pushed + s.Injected + uint64(shares)
	if s.Jobs > queued || s.Jobs+s.Joins < queued {
		wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf(
			"by its statistics the closed pool has taken %d jobs out of queues, and %d came in, %d of them forks that may have been taken back", s.Jobs, queued, s.Joins)})
	}
	if s.Steals > s.Pushed {
		wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf(
			"by its statistics the closed pool has stolen %d jobs of %d that workers have pushed", s.Steals, s.Pushed)})
	}
	return wrong
}

// sumOf adds the statistics that closedStats checks.
func sumOf(a, b pool.Stats) pool.Stats {
	return pool.Stats{Jobs: a.Jobs + b.Jobs, Joins: a.Joins + b.Joins, Pushed: a.Pushed + b.Pushed, Steals: a.Steals + b.Steals, Injected: a.Injected + b.Injected}
}

// sleepStats checks the statistics of a closed pool: each sleep has ended, by one wake, and took time.
// Tickle's sleeps may end without a wake, and RFC 5's by several.
func sleepStats(s pool.Stats, variant string) []subject.Finding {
	says := func(format string, args ...any) []subject.Finding {
		return []subject.Finding{{Verdict: verdict.WrongResult, Summary: "by the pool's statistics, when it is closed, " + fmt.Sprintf(format, args...)}}
	}
	tickle, rfc5 := strings.HasPrefix(variant, "tickle"), strings.HasPrefix(variant, "rfc5")
	switch {
	case !rfc5 && s.Wakes > s.Sleeps || !rfc5 && !tickle && s.Wakes < s.Sleeps:
		return says("workers fell asleep %s and were woken %s", times(s.Sleeps), times(s.Wakes))
	case s.Parked < 0 || s.Parked > 0 && s.Sleeps == 0, s.Parked == 0 && s.Sleeps > 0 && runtime.GOOS != "windows": // whose clock is coarse
		return says("workers fell asleep %s and slept for %s", times(s.Sleeps), s.Parked)
	}
	return nil
}

// sleepStats returns the statistics that spuriousWakes checks, of all pools and of the workers without a pool.
func (x *execution) sleepStats() (all pool.Stats) {
	add := func(s pool.Stats) { all.Wakes, all.Spurious = all.Wakes+s.Wakes, all.Spurious+s.Spurious }
	for _, p := range x.pools() {
		add(p.Stats())
	}
	if l := x.latches.Load(); l != nil {
		add(l.stats())
	}
	return all
}

// spuriousWakes compares the spurious wakes in the statistics of an ended execution with the injected ones. An
// injected one during which a notification comes is not counted: there are at most as many of these as wakes.
func spuriousWakes(s pool.Stats, fired []subject.Fired) []subject.Finding {
	var injected uint64
	for _, f := range fired {
		switch {
		case f.Kind != "spurious":
		case f.Point == "sleep/block" || f.Point == "sleep/tickle-wait":
			injected += f.Fires
		case f.Fires > 0: // at any condition variable
			return nil
		}
	}
	if s.Spurious <= injected && s.Spurious+s.Wakes >= injected {
		return nil
	}
	return []subject.Finding{{Verdict: verdict.WrongResult, Summary: fmt.Sprintf(
		"by the statistics workers woke %s without a notification, and %s with one; it was injected %s", times(s.Spurious), times(s.Wakes), times(injected))}}
}

func times(n uint64) string { return prose.Plural(int(n), "time") }

func emptyQueues(s pool.State, when string) []subject.Finding {
	wrong := unequal(when, []count{{"jobs in the injector", s.Injected, 0}})
	for _, w := range s.Workers {
		wrong = append(wrong, unequal(when, []count{
			{fmt.Sprintf("jobs in the deque of worker %d", w.Index), w.Jobs, 0},
			{fmt.Sprintf("broadcasts of worker %d", w.Index), w.Broadcasts, 0},
		})...)
	}
	return wrong
}

type count struct {
	what      string
	got, want int
}

func unequal(when string, counts []count) []subject.Finding {
	var wrong []subject.Finding
	for _, c := range counts {
		if c.got != c.want {
			wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf("the pool is %s and has %d %s, want %d", when, c.got, c.what, c.want)})
		}
	}
	return wrong
}
