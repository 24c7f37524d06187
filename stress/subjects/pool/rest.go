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

// The oracles of a pool that has nothing to do: it comes to rest, is as it should be then, and
// uses no processor.

// How often rest looks, and how often while it sees workers search: that may take its time.
const (
	maxLooks   = 1000
	maxWatched = 100_000
)

// rest gives the pool the time to come to rest and looks at it then. The workload
// must post nothing meanwhile. A pool that does not come to rest, and does not search either, is
// left to the watchdog, which sees that it cannot be closed.
func (x *execution) rest(p *pool.Pool) {
	looks := searches{enough: enoughSearches(x.Values)}
	for i, quiet := 0, 0; quiet < maxLooks && i < maxWatched; i, quiet = i+1, quiet+1 {
		s, ok := standsStill(p)
		if ok {
			x.report(restingPool(s))
			if !x.Controlled() {
				x.report(x.restingProcess())
			}
			return
		}
		if !x.Controlled() {
			endless, went := looks.look(s)
			if endless != nil {
				x.Fail(endless.Verdict, "%s", endless.Summary)
				return
			}
			if went {
				quiet = 0
			}
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// enoughSearches is how many searches in vain say that a worker won't sleep. From the first
// it takes the scenario's rounds to become sleepy, and one more to fall asleep; with Tickle twice that,
// when it is its turn. A fault may send it back, by chance.
func enoughSearches(v subject.Values) uint64 {
	rounds := sleep.DefaultRoundsUntilSleepy
	if v.Given("rounds") {
		rounds = v.Count("rounds")
	}
	return uint64(max(1000, 8*rounds))
}

// searches watches workers look for work that there is none of. It counts searches, and not
// the time, so that load doesn't matter: each of those awake must have made enough of
// them since the last fell asleep. (Who does not get a processor, or is held by a fault, may be the one for
// whom others wait, with Tickle.)
type searches struct {
	enough uint64
	seen   bool
	since  pool.State // when a worker fell asleep, or a queue was not empty
	last   uint64     // all searches
}

// look takes in what a pool does that has nothing to do. It returns what to convict it of,
// if anything, and whether anybody has searched, or fallen asleep, since the last look.
func (c *searches) look(s pool.State) (endless *subject.Finding, went bool) {
	var all, asleep, before, jobs uint64
	for _, w := range s.Workers {
		all, asleep = all+w.Searches, asleep+w.Sleeps
		jobs += uint64(w.Jobs + w.Broadcasts)
	}
	for _, w := range c.since.Workers {
		before += w.Sleeps
	}
	went, c.last = all != c.last || asleep != before, all
	if !c.seen || asleep != before || s.Injected > 0 || jobs > 0 || len(s.Workers) != len(c.since.Workers) {
		c.seen, c.since = true, s
		return nil, went
	}
	var awake []string
	var least uint64
	for i, w := range s.Workers {
		n := w.Searches - c.since.Workers[i].Searches
		switch {
		case w.Ended || w.Asleep && !w.Notified:
		case n < c.enough:
			return nil, went
		default:
			awake = append(awake, w.Name)
			least = min(cmp.Or(least, n), n)
		}
	}
	if len(awake) == 0 {
		return nil, went
	}
	return &subject.Finding{Verdict: verdict.NeverSleeps, Summary: fmt.Sprintf("%s for work for ever: %d failed searches, with nothing to do, since a worker last fell asleep",
		prose.Are(awake, "searches", "search"), least)}, went
}

// A process at rest is looked at in such periods, of which it may use one in so many; it is convicted
// when it has used so much, or, where nobody says how much, after so many looks.
const (
	restTime  = 2 * time.Millisecond
	restShare = 2
	spinTime  = 100 * time.Millisecond
	restLooks = 1000
)

// restingProcess convicts a process that uses a processor while its pool is at rest, all workers asleep: in
// each of many looks a goroutine runs, or would if it could, or the process has used half of
// a processor since the last, until that is more than all that could be left to be done. So load
// only makes it late: who is not served uses nothing.
func (x *execution) restingProcess() []subject.Finding {
	var used gotime.Duration
	who := ""
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
			who = "; there runs " + ready[0].Place()
		}
		if used += u; used < spinTime && i < restLooks {
			continue
		}
		if known && used < spinTime {
			return nil // it was not served
		}
		return []subject.Finding{{Verdict: verdict.Spin, Summary: fmt.Sprintf("all workers sleep, nothing is to be done, and the process goes on using processors: %v%s",
			used.Round(gotime.Millisecond), who)}}
	}
}

// stillPool judges the counters of a pool that stands still, though it has something to do (sleep/README.md,
// "Invariants"): JEC's. Who has been woken is not counted any more, and who sleeps privately never was.
func stillPool(s pool.State, strategy string) []subject.Finding {
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
		if w.Latch != sleep.Sleeping && w.Latch != sleep.Set {
			wrong = append(wrong, subject.Finding{Verdict: verdict.Invariant, Summary: fmt.Sprintf("%s sleeps, and its latch is %s, want %s or %s", w.Name, w.Latch, sleep.Sleeping, sleep.Set)})
		}
	}
	return append(wrong, unequal("still", []count{{"workers sleeping, by its counter", s.Counters.Sleeping, asleep}})...)
}
