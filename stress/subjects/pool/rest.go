package pool

import (
	"cmp"
	"fmt"
	"strings"
	gotime "time" // the oracle's own

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracles of a pool without work: it comes to rest, its counters are right then, and it uses no
// processor.

// How often rest looks at the pool, and how often while workers search: that may take long.
const (
	maxLooks   = 1000
	maxWatched = 100_000
)

// rest waits until the pool has come to rest and checks it then. The workload must post nothing
// meanwhile. A pool that neither comes to rest nor searches is left to the watchdog, which reports
// that it cannot be closed.
func (x *execution) rest(p *pool.Pool) {
	looks := searches{enough: enoughSearches(x.Values)}
	for i, idle := 0, 0; idle < maxLooks && i < maxWatched; i, idle = i+1, idle+1 {
		s, ok := stateAtRest(p)
		if ok {
			x.report(restingPool(s))
			if !x.Controlled() {
				x.report(x.restingProcess())
			}
			return
		}
		if !x.Controlled() {
			endless, progress := looks.look(s)
			if endless != nil {
				x.Fail(endless.Verdict, "%s", endless.Summary)
				return
			}
			if progress {
				idle = 0
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// enoughSearches returns how many failed searches prove that a worker won't sleep. It takes the scenario's
// rounds to become sleepy, and one more to fall asleep; with Tickle twice that, in its turn. A fault
// may by chance make it start again.
func enoughSearches(v subject.Values) uint64 {
	rounds := sleep.DefaultRoundsUntilSleepy
	if v.Given("rounds") {
		rounds = v.Count("rounds")
	}
	return uint64(max(1000, 8*rounds))
}

// searches follows workers that search while there is no work. It counts searches, not time, so that load
// doesn't matter: each worker that is awake must have made enough of them since the last one fell asleep.
// (With Tickle, others may wait for one that gets no processor or is held by a fault.)
type searches struct {
	enough uint64
	seen   bool
	since  pool.State // when a worker fell asleep, or a queue was not empty
	last   uint64     // all searches
}

// look checks the state of a pool without work. It returns a finding, if any, and whether a worker
// has searched, or fallen asleep, since the last look.
func (c *searches) look(s pool.State) (endless *subject.Finding, progress bool) {
	var all, asleep, before, jobs uint64
	for _, w := range s.Workers {
		all, asleep = all+w.Searches, asleep+w.Sleeps
		jobs += uint64(w.Jobs + w.Broadcasts)
	}
	for _, w := range c.since.Workers {
		before += w.Sleeps
	}
	progress, c.last = all != c.last || asleep != before, all
	if !c.seen || asleep != before || s.Injected > 0 || jobs > 0 || len(s.Workers) != len(c.since.Workers) {
		c.seen, c.since = true, s
		return nil, progress
	}
	var awake []string
	var least uint64
	for i, w := range s.Workers {
		n := w.Searches - c.since.Workers[i].Searches
		switch {
		case w.Ended || w.Asleep && !w.Notified:
		case n < c.enough:
			return nil, progress
		default:
			awake = append(awake, w.Name)
			least = min(cmp.Or(least, n), n)
		}
	}
	if len(awake) == 0 {
		return nil, progress
	}
	return &subject.Finding{Verdict: verdict.NeverSleeps, Summary: fmt.Sprintf("%s for work for ever: %d failed searches, with nothing to do, since a worker last fell asleep",
		prose.Are(awake, "searches", "search"), least)}, progress
}

// A process at rest is checked every restTime, and may use less than one restShare-th of that. It fails
// when it has used spinTime, or, where the system doesn't measure that, after restLooks checks.
const (
	restTime  = 2 * time.Millisecond
	restShare = 2
	spinTime  = 100 * time.Millisecond
	restLooks = 1000
)

// restingProcess reports a process that uses a processor while its pool is at rest, all workers asleep: at
// each of many checks a goroutine is running or ready, or the process has used half of a processor since
// the last, until that is more than any remaining work could take. Load only delays it: a process that is
// not scheduled uses nothing.
func (x *execution) restingProcess() []subject.Finding {
	var used gotime.Duration
	running := ""
	for i := 0; ; i++ {
		begin := gotime.Now()
		before, known := native.ProcessCPU()
		time.Sleep(restTime)
		after, _ := native.ProcessCPU()
		u := after - before
		ready := native.Ready(x.before)
		if len(ready) == 0 && u < gotime.Since(begin)/restShare {
			return nil
		}
		if len(ready) > 0 {
			running = "; running is " + ready[0].Place()
		}
		if used += u; used < spinTime && i < restLooks {
			continue
		}
		if known && used < spinTime {
			return nil // it was not scheduled
		}
		return []subject.Finding{{Verdict: verdict.Spin, Summary: fmt.Sprintf("all workers sleep, there is no work, and the process still uses processors: %v%s",
			used.Round(gotime.Millisecond), running)}}
	}
}

// stuckPool checks JEC's counters in a pool that has work and makes no progress (sleep/README.md,
// "Invariants"). A worker that has been woken is not counted any more, and one that sleeps
// privately never was.
func stuckPool(s pool.State, strategy string) []subject.Finding {
	if !strings.HasPrefix(strategy, "jec") {
		return nil
	}
	asleep := 0
	var wrong []subject.Finding
	for _, w := range s.Workers {
		if !w.Asleep || w.Notified || w.Private {
			continue
		}
		asleep++
		wrong = append(wrong, unsetLatch(w)...)
	}
	return append(wrong, unequal("stuck", []count{{"workers sleeping, by its counter", s.Counters.Sleeping, asleep}})...)
}
