package pool

import (
	"fmt"
	"strings"
	stdatomic "sync/atomic" // not the drop-in: what is shown of a schedule must not take part in it
	"time"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// Stats are a pool's counters since it was started. What a worker has done since it last went idle
// is not in them yet.
type Stats struct {
	Jobs         uint64 // jobs taken from a queue and run; not a b that its own Join takes back
	Joins        uint64
	Pushed       uint64 // jobs that workers have put into their deques
	Steals       uint64 // jobs taken from another worker
	FailedSteals uint64 // rounds of stealing that failed because of a race
	Searches     uint64 // rounds of looking for work everywhere, and finding none
	Injected     uint64 // jobs that workers have taken from the injector
	Sleeps       uint64 // times that a worker fell asleep
	Wakes        uint64 // times that one was woken
	Spurious     uint64 // times that one woke without a notification
	Spares       uint64 // times that a spare worker was set to work: in the place of another, or on a job that blocks
	// SparesMissing counts the times that a spare was wanted, and all were in use (WithSpares).
	SparesMissing uint64
	// Parked is how long workers have slept, all of them together, up to now.
	Parked time.Duration
}

// counts are a worker's own, written by it alone.
type counts struct{ jobs, joins, pushed, steals, failedSteals, searches uint64 }

// publishedCounts are the same, readable from any goroutine.
type publishedCounts struct {
	jobs, joins, pushed, steals, failedSteals atomic.Uint64
	searches                                  stdatomic.Uint64
}

// searched counts a failed search, and publishes it at once: a worker that never finds a job never
// goes idle again.
func (w *Worker) searched() {
	w.counts.searches++
	w.published.searches.Store(w.counts.searches)
}

// publish makes the worker's counts readable. It is called where a worker runs out of work, so that
// a fork costs one plain increment.
func (w *Worker) publish() {
	w.published.jobs.Store(w.counts.jobs)
	w.published.joins.Store(w.counts.joins)
	w.published.pushed.Store(w.counts.pushed)
	w.published.steals.Store(w.counts.steals)
	w.published.failedSteals.Store(w.counts.failedSteals)
}

// Stats returns the counters. It may be called at any time.
func (p *Pool) Stats() Stats {
	var s Stats
	if p == nil || p.sleep.Strategy == nil { // New did not make it
		return s
	}
	s.Injected, _, _ = p.injector.waiting()
	for _, w := range *p.all.Load() {
		s.Jobs += w.published.jobs.Load()
		s.Joins += w.published.joins.Load()
		s.Pushed += w.published.pushed.Load()
		s.Steals += w.published.steals.Load()
		s.FailedSteals += w.published.failedSteals.Load()
		s.Searches += w.published.searches.Load()
		parker := p.sleep.Parker(w.index)
		s.Sleeps += parker.Sleeps
		s.Wakes += parker.Wakes
		s.Spurious += parker.Spurious
		s.Parked += parker.Parked
	}
	s.Spares, s.SparesMissing = p.spares.stats()
	return s
}

// Counters returns one consistent reading of the sleep protocol's counters. Another strategy than
// the default may not have all of them (sleep.Strategy).
func (p *Pool) Counters() sleep.Counters {
	if p == nil || p.sleep.Strategy == nil { // New did not make it
		return sleep.Counters{}
	}
	return p.sleep.Counters()
}

// A State is what each worker does, for people and for tests that look for lost wakeups. It is
// exact when the pool is at rest; otherwise each of its parts is true at some moment of the call.
type State struct {
	Workers []WorkerState // spares at work included
	// SparesAtRest are spares that have nothing to do, on goroutines that end if that stays so.
	SparesAtRest int
	// Injected jobs that no worker has taken: their number, and the number of the first of them,
	// counted from 0 in order of arrival.
	Injected      int
	FirstInjected uint64
	Counters      sleep.Counters
	// References that keep the pool alive: jobs from outside or that nothing waits for, and one for
	// the pool until it is closed. A job's may outlast its waiter's wait for a moment, and that of
	// a dropped run stays until a worker takes it.
	References int
	Closing    bool
}

// A WorkerState is what one worker does.
type WorkerState struct {
	Index int
	Name  string // of the task: "worker 0", or "worker 0 of NAME" if the pool has a name
	Ended bool   // its goroutine is gone, or about to be
	// WaitsFor is what an idle worker waits for, in words; "" if it runs a job.
	WaitsFor string
	// Latch is the state of the latch that an idle worker waits for.
	Latch sleep.LatchState
	// Asleep: it is blocked. Notified: it was woken since, and the notification is under way or
	// lost.
	Asleep, Notified bool
	// Private: it is asleep outside the counters, since it may run some jobs only
	// (Worker.Isolated): no post wakes it.
	Private bool
	Sleeps  uint64 // how often it has fallen asleep
	// Searches: how often it has looked for work everywhere, and found none.
	Searches uint64
	// Jobs in its deque, and in its queue of broadcasts. The few that a busy worker keeps to itself
	// count as the deque's, but in the chaos build only. A job that is taken meanwhile may count, too.
	Jobs, Broadcasts int
}

// State returns what the pool does at the moment. It may be called at any time.
func (p *Pool) State() State {
	if p == nil || p.sleep.Strategy == nil { // New did not make it
		return State{}
	}
	s := State{
		Counters:   p.Counters(),
		References: int(p.references()),
		Closing:    p.refs.Load()&closing != 0,
	}
	all := *p.all.Load()
	given := p.spares.given(all)
	first, n, _ := p.injector.waiting()
	s.FirstInjected, s.Injected = first, n
	for i, w := range all {
		parker := p.sleep.Parker(i)
		_, broadcasts := w.broadcasts.waiting()
		reason := waitReason(w.waiting.Load())
		ws := WorkerState{
			Index:      i,
			Name:       w.name(),
			Ended:      reason == hasEnded,
			WaitsFor:   reason.String(),
			Asleep:     parker.Asleep,
			Notified:   parker.Notified,
			Private:    parker.Private,
			Sleeps:     parker.Sleeps,
			Searches:   w.published.searches.Load(),
			Jobs:       w.deque.len() + int(w.forks.shown.Load()),
			Broadcasts: broadcasts,
		}
		switch {
		case ws.Ended && w.isSpare():
			continue // it is not needed at the moment
		case !w.atRest.Load():
		case given > 0:
			given-- // whichever of them takes the orders: this one counts as at work
		default:
			s.SparesAtRest++
			continue
		}
		if latch := w.latch.Load(); latch != nil && ws.WaitsFor != "" {
			ws.Latch = latch.State()
		}
		s.Workers = append(s.Workers, ws)
	}
	return s
}

// String returns the state as a table, a line for the pool and one for each worker.
func (s State) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pool: %d workers, %d inactive, %d sleeping, JEC %d, %d references", len(s.Workers),
		s.Counters.Inactive, s.Counters.Sleeping, s.Counters.JEC, s.References)
	if s.Closing {
		b.WriteString(", closing")
	}
	if s.SparesAtRest > 0 {
		fmt.Fprintf(&b, "; %d spares at rest", s.SparesAtRest)
	}
	if s.Injected > 0 {
		fmt.Fprintf(&b, "; injector: %d jobs, the first is number %d", s.Injected, s.FirstInjected)
	}
	b.WriteByte('\n')
	for _, w := range s.Workers {
		fmt.Fprintf(&b, "%s: ", w.Name)
		switch {
		case w.Ended:
			b.WriteString("has ended")
		case w.WaitsFor == "":
			b.WriteString("runs a job")
		case w.Private:
			fmt.Fprintf(&b, "asleep privately, waits for %s, latch %s", w.WaitsFor, w.Latch)
		case w.Asleep:
			fmt.Fprintf(&b, "asleep, waits for %s, latch %s", w.WaitsFor, w.Latch)
		default:
			fmt.Fprintf(&b, "looks for work, waits for %s, latch %s", w.WaitsFor, w.Latch)
		}
		if w.Notified {
			b.WriteString(", has been notified")
		}
		if w.Jobs > 0 {
			fmt.Fprintf(&b, "; %d jobs in its deque", w.Jobs)
		}
		if w.Broadcasts > 0 {
			fmt.Fprintf(&b, "; %d broadcasts", w.Broadcasts)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
