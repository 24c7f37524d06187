package hooked

import (
	"fmt"
	"runtime/metrics"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// The runtime counts the goroutines that have been created. More than the engine knows of means that
// an execution has started one by a plain go statement. Reading the count costs 50 ns: that is done before the decisions of the first
// execution, and about once in some of the others.

// starts counts the goroutines that an execution starts.
type starts struct {
	counter  *counter
	counted  bool // in this execution
	closely  bool // before each decision, in this execution, as long as looks are left
	looks    int
	before   uint64 // created when it began
	expected uint64 // of hooks and the engine
	reported uint64 // more than expected, so far

	untracked []string // origins of the unexpected ones that were found alive
	place     string   // the place before which the others were started

	suspect bool   // the last execution has started some that were not found
	missed  int    // executions in a row for which that is true
	report  string // names that place, once it was true often enough
}

const (
	countedFirst = 64    // executions that are counted, all of them
	countedEvery = 64    // and then one in so many
	maxLooks     = 1_000 // decisions of an execution that are looked at closely
	missedEnough = 3     // executions in a row: the runtime starts a goroutine, too, but not each time
)

// A counter reads the runtime's count for an engine, on a goroutine of its own if there is a race
// detector. The count is an entry of a map that the runtime writes to when a GODEBUG setting first
// takes effect, under a lock. The tasks may neither hide that lock, since the detector would report
// their reads of the map, nor show it, since they would then come one after the other.
type counter struct {
	ask    chan bool // false ends the goroutine
	answer chan uint64
}

func newCounter() *counter {
	c := &counter{}
	if racing.Detector {
		c.ask, c.answer = make(chan bool), make(chan uint64)
		go c.serve()
	}
	return c
}

//go:norace
func (c *counter) serve() {
	for {
		racing.Hide()
		more := <-c.ask
		racing.Show()
		var n uint64
		if more {
			n = created()
		}
		racing.Hide()
		c.answer <- n
		racing.Show()
		if !more {
			return
		}
	}
}

// read returns the count.
//
//go:norace
func (c *counter) read() uint64 {
	if !racing.Detector {
		return created()
	}
	return c.request(true)
}

// request makes no edges: the tasks must not be ordered by it.
//
//go:norace
func (c *counter) request(more bool) uint64 {
	racing.Hide()
	c.ask <- more
	n := <-c.answer
	racing.Show()
	return n
}

func (c *counter) end() {
	if racing.Detector {
		c.request(false)
	}
}

// created returns the runtime's count; 0 if there is none.
func created() uint64 {
	s := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// begin is called when execution n, counted from 0, begins.
func (s *starts) begin(n int) {
	s.counted = n < countedFirst || n%countedEvery == 0 || s.suspect
	s.closely, s.looks = n == 0 || s.suspect, maxLooks
	s.expected, s.reported, s.place = 0, 0, ""
	s.untracked = s.untracked[:0]
	if s.counted {
		s.before = s.counter.read()
	}
}

// unexpected returns the number of goroutines started since begin that the engine does not know
// of.
//
//go:norace
func (s *starts) unexpected() uint64 {
	if !s.counted {
		return 0
	}
	n := s.counter.read()
	if known := s.before + s.expected; n > known {
		return n - known
	}
	return 0
}

// checkStarts looks, before a decision, whether the task that ran has started a goroutine that is
// not a task. If it is alive, the execution is over.
//
//go:norace
func (e *Tasks) checkStarts() {
	if e.outsiders.arrived {
		e.Stopping = true
		return
	}
	s := &e.starts
	s.looks--
	s.closely = s.looks > 0
	n := s.unexpected()
	if n <= s.reported || e.Stopping {
		return
	}
	s.reported = n
	if e.recordUntracked(e.outsiders.among(allGoroutines())) {
		e.Stopping = true
		e.Edges.Add(1) // an edge to the root, for the race detector
	} else if s.place == "" {
		s.place = ownGoroutine().place()
	}
}

// recordUntracked records goroutines outside, and reports whether there are any. If there are, its
// caller adds an edge to the root, for the race detector; else only what it does not instrument is
// read.
//
//go:norace
func (e *Tasks) recordUntracked(found []goroutine) bool {
	if len(found) == 0 {
		return len(e.starts.untracked) > 0
	}
	e.starts.untracked = untrackedTexts(found)
	return true
}

func untrackedTexts(found []goroutine) (all []string) {
	for _, g := range found {
		origin, advice := g.origin()
		all = append(all, origin+" takes part without passing a hook: "+advice)
	}
	slices.Sort(all)
	return all
}

// reportUntracked makes a goroutine that is not a task the verdict of an execution that has started
// one, although it has passed no hook. Nothing is known of one that has ended.
func (e *Tasks) reportUntracked() {
	s := &e.starts
	if e.externalWake != nil {
		return
	}
	if len(s.untracked) == 0 && (s.unexpected() == 0 || !e.recordUntracked(e.settleOutside(settling/8))) {
		s.countMissed()
		return
	}
	if e.outsiders.hasArrived() {
		return
	}
	e.Outcome = core.Outcome{Verdict: verdict.Uncontrolled, Summary: s.untracked[0], Detail: strings.Join(s.untracked[1:], "\n"), Cut: e.Outcome.Cut}
}

// countMissed counts executions that have started goroutines that were not found.
func (s *starts) countMissed() {
	if !s.counted {
		return
	}
	if s.suspect = s.unexpected() > 0; !s.suspect || s.place == "" {
		s.missed = 0
		return
	}
	if s.missed++; s.missed == missedEnough {
		s.report = fmt.Sprintf("goroutines that are not tasks were started before %s, and ended without passing a hook: what they did is not explored", s.place)
	}
	s.suspect = s.missed < missedEnough
}

// place returns the innermost function of the subject.
func (g goroutine) place() string {
	_, place := g.call()
	return place
}
