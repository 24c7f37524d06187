package control

import (
	"fmt"
	"runtime/metrics"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// The runtime counts the goroutines that have been created (since Go 1.26; before, there is nothing
// to compare). More than the engine knows of means that an execution has started one by a plain
// go statement. Reading the count costs 50 ns: that is done before the decisions of the first
// execution, and about once in some of the others.

// starts are the goroutines that an execution starts.
type starts struct {
	counted  bool // in this execution
	closely  bool // before each decision, in this execution, as long as looks are left
	looks    int
	before   uint64 // created when it began
	expected uint64 // of hooks and the engine
	reported uint64 // more than expected, so far

	untracked []string // origins of the unexpected ones that were found alive
	place     string   // before which those were started that were not

	suspect bool   // the last execution has started some that were not found
	missed  int    // executions in a row of which that is true
	report  string // that place, when it was true often enough
}

const (
	countedFirst = 64    // executions that are counted, all of them
	countedEvery = 64    // and then one in so many
	maxLooks     = 1_000 // decisions of an execution that are looked at closely
	missedEnough = 3     // executions in a row: the runtime starts a goroutine, too, but not each time
)

// created is the runtime's count; 0 if there is none.
//
//go:norace
func created() uint64 {
	racing.Hide()
	s := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(s)
	racing.Show()
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
		s.before = created()
	}
}

// unexpected is how many have been started since begin that the engine does not know of.
//
//go:norace
func (s *starts) unexpected() uint64 {
	if !s.counted {
		return 0
	}
	n := created()
	if known := s.before + s.expected; n > known {
		return n - known
	}
	return 0
}

// checkStarts looks, before a decision, whether the task that ran has started a goroutine that is
// not a task. If it is alive, the execution is over.
//
//go:norace
func (e *engine) checkStarts() {
	if e.outsiders.arrived {
		e.stopping = true
		return
	}
	s := &e.starts
	s.looks--
	s.closely = s.looks > 0
	n := s.unexpected()
	if n <= s.reported || e.stopping {
		return
	}
	s.reported = n
	if e.recordUntracked(e.outsiders.among(allGoroutines())) {
		e.stopping = true
		e.edges.Add(1) // an edge to the root, for the race detector
	} else if s.place == "" {
		s.place = ownGoroutine().place()
	}
}

// recordUntracked records goroutines outside, and reports whether there are any. If there are, its
// caller adds an edge to the root, for the race detector; else only what it does not instrument is
// read.
//
//go:norace
func (e *engine) recordUntracked(found []goroutine) bool {
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
func (e *engine) reportUntracked() {
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
	e.outcome = outcome{verdict: verdict.Uncontrolled, summary: s.untracked[0], detail: strings.Join(s.untracked[1:], "\n"), cut: e.outcome.cut}
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

// place is the innermost function of the subject.
func (g goroutine) place() string {
	_, place := g.call()
	return place
}
