package real

import (
	"runtime"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Tasks is the engine as a Runtime sees it. Its exported methods are those of core.Front and of Scheduler, and what
// control.Engine calls. An operation is real and follows the decision, and what it did is known when the task comes
// back:
//
//	Point   what the task announced last has been done (settle); the strategy chooses
//	Parked  likewise, and the task waits
//	Woken   the task can continue: a step of kind Resume, which has no object
//
// A task that waits for a lock has stopped at the point before it, and is enabled while the lock is
// free: the engine looks at its word. All other waits are real ones, after the operation.
type Tasks struct {
	core.Engine
	runtime    Runtime
	planned    bool // Options.Plan has faults: they are not armed from inside
	tainted    string
	allowLeaks bool
	own        []string // see symbolsOf
	starters   []starter
	entangled  int   // Runtime.Entangled, at the last wait for what is outside
	expected   int64 // real time, in nanoseconds, of waits for goroutines outside in which nothing came
	perExecution
}

// A perExecution holds the state that is reset when another execution begins.
type perExecution struct {
	tasks  []*core.Task     // by number
	places map[string]place // of a trace, by stack

	// calm is the step up to which a task at a point needs no more than the strategy's choice, if any.
	calm         int
	atRoot       bool
	began        int64 // real time
	cutting      bool  // the root is to decide whether the limit is the verdict
	interrupted  *core.Task
	stuckAt      int          // the step in which the watchdog has found a task that computes
	goesOn       *core.Task   // that was interrupted, and has its turn again
	polls        int          // step at which pollTime is called next
	mainEnded    bool         // the first task has ended
	bears        int          // for how many steps a task may have to wait before it gets a turn: see fair.go
	ended        int64        // virtual time when it did
	poll         int64        // by how much the time has moved last, for tasks that ask for it
	polled       int          // the step in which it did
	spare        int          // of patientSteps
	more         int          // steps for which loops that may work may still run on so that no timer is early
	words        int          // of mostWords; 0 if the whole is not known
	checks       int64        // virtual time at which to look for tasks that nothing can wake
	awaiting     []*core.Task // tasks that wait for a lock
	tests        []*core.Task // the first task, and those of subtests
	armed, slept int          // as in Result
	externals    int          // tasks that wait for something outside
	waited       bool         // for goroutines outside
	fruitless    int          // waits for it in a row in which nothing came
	idle         int          // early firings that have let no task continue
	kept         int64        // nanoseconds that early firings have kept tasks waiting
	apart        int64        // those of them on account of far periodic timers
	rounds       int          // early firings of far periodic timers
	far          bool         // as in Result
	lost         []*core.Task // that nothing can wake
	outside      core.Outsiders
	fair         fairness
	recurrence   recurrence
	passed       passed
	work         work
	owners       owners
	spinning     spinning
	firing       bool         // timers fire
	timed        []*core.Task // of a trace: tasks that timers have woken
	arming       []arming
	items        map[uintptr]int // of a trace: the events that put what is in pools
	sleeps       byte            // its address is the object of all sleeps
	world        byte            // its address is the object of all system calls
	asides       asides
	time         byte // its address is the object that a task reads when it asks for the time
}

// A task is a core.Task and what this front end keeps of it.
type task struct {
	task core.Task
	kept
}

type kept struct {
	number  int32
	line    int32 // see strategy.Aside
	pending bool  // it has announced an operation, and has not come back since
	failed  bool  // that operation has done no more than read
	// resuming: the operation in which the task had parked has been recorded. It counts from when the
	// task continues, so that the numbers of a task's operations do not depend on its waits.
	resuming bool
	// settled: its last operation has been recorded, and it has announced no other. decisions are those
	// before that operation.
	settled   bool
	decisions int32
	wakes     []*strategy.Task // tasks that it has woken

	word     uintptr // the address of an int32: it cannot do its operation while that has bits of busy
	busy     int32
	awaits   bool           // it is among the waiters of its object
	place    int            // in Tasks.awaiting, if so
	polls    []*core.Object // of a select
	sends    int            // the first so many of them are to send to
	others   []int          // for Op.Others, to use again
	x        uintptr        // the address of the object, if there is one
	parked   bool
	external bool
	reason   string      // why it has parked
	yielded  int         // how often, since the execution's progress was progress
	progress int         // the execution's progress when its wait began; -1 if none
	looked   int         // how often it had asked for the time when it yielded last, or began to run alone
	state    uint64      // with which the comparison of its states began: see recurs
	compared int         // how many have been
	whole    uint64      // the whole when it had come back to that state; 0 if it has not
	recurs   bool        // it has come back to that state, and all else to what it was
	ranOn    int         // steps alone in a wait, beyond those of a polling loop
	share    int         // what it may still run on for in that wait, counted as spare is
	spins    bool        // it has run on for as long as it may
	waitsIn  strategy.Op // what it had announced when it parked, if that is its last operation
	joined   int         // the object of its last operation of kind Signal: a condition whose queue it has joined
	since    int         // the step in which it parked, or stopped before a lock
	stuck    bool        // by the owners of locks
	standing standing
	pcs      []uintptr // of a trace: its stack at the point
	pooled   []pooled  // of a trace: after the operation that it has announced last
	judged   judged
}

//go:norace
func of(t *core.Task) *task { return (*task)(unsafe.Pointer(t)) }

//go:norace
func (*Tasks) MakeTask() *core.Task { return &new(task).task }

//go:norace
func (*Tasks) Renew(t *core.Task) {
	k := &of(t).kept
	*k = kept{wakes: k.wakes[:0], polls: k.polls[:0], others: k.others[:0]}
}

//go:norace
func (s *Tasks) Begin() {
	for i := range s.tasks {
		s.tasks[i] = nil
	}
	stuck := s.owners.stuck
	s.perExecution = perExecution{
		tasks: s.tasks[:0], checks: hour, spare: min(patientSteps, s.MaxSteps/patientShare), more: s.MaxSteps / quickShare, words: mostWords,
		lost: s.lost[:0], awaiting: s.awaiting[:0], tests: s.tests[:0], asides: s.asides[:0],
	}
	s.owners = owners{step: ownersSteps, stuck: stuck[:0]}
	s.Alone, s.bears = core.MostAlone, core.ForcesAfter(s.Limit)
	if !s.planned {
		s.Faults.Disarm()
	}
}

//go:norace
func (s *Tasks) Started(parent int32, pc uintptr) {
	var p *core.Task
	switch {
	case parent >= 0:
		p = s.tasks[parent]
	case len(s.tasks) > 0:
		p = s.tasks[0]
	}
	t := s.NewTask(p, nil)
	of(t).number, of(t).line = int32(len(s.tasks)), int32(t.ID)
	of(t).pending, t.Continues, of(t).progress = true, s.Step, -1
	s.tasks = append(s.tasks, t)
	if p == nil || s.Racy && s.startsTest(pc) {
		s.tests = append(s.tests, t)
	}
	if s.Tracing && p != nil {
		t.Started = s.goStatement(p, pc)
		s.traceStartedTask(t)
	}
	if p != nil {
		s.QueueSpawn(p, t)
	} else if s.Racy {
		s.AddClock()
	}
}

// A starter is a go statement that has been executed.
type starter struct {
	pc   uintptr
	test bool // it starts a subtest
}

// startsTest reports whether the go statement starts a subtest. testContinues needs that, if there is a
// clock.
//
//go:norace
func (s *Tasks) startsTest(pc uintptr) bool {
	if pc == 0 {
		return false
	}
	for i := range s.starters {
		if s.starters[i].pc == pc {
			return s.starters[i].test
		}
	}
	at, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	is := strings.HasPrefix(at.Function, "testing.")
	s.starters = append(s.starters, starter{pc, is})
	return is
}

//go:norace
func (s *Tasks) Woken(number, by int32) {
	t := s.tasks[number]
	if !of(t).parked {
		return
	}
	of(t).parked, t.Continues = false, s.Step
	if of(t).external {
		of(t).external = false
		s.externals--
	}
	if by == Outside {
		s.wokenOutside(t)
	} else if by >= 0 {
		w := s.tasks[by]
		of(w).wakes = append(of(w).wakes, &t.Task)
	} else if s.Tracing {
		s.timed = append(s.timed, t)
	}
	s.Enable(t)
}

// chosen decides which task continues, on the stack of the current one or the root's.
//
//go:norace
func (s *Tasks) chosen() int32 {
	if s.Step >= s.polls {
		s.pollTime()
	}
	if t := s.Running(); s.recurrence.from > 0 && !s.atRoot && t != nil && s.compare(t) {
		s.Engine.Cut()
	}
	next := s.Choose()
	if next == nil {
		return None
	}
	if t := s.Running(); next != t {
		s.leave(t, next)
	} else if of(t).awaits {
		s.stopAwaiting(t)
	}
	if s.calm = 0; !s.Tracing && s.fair.turn == nil && s.RoundLeft == 0 && s.recurrence.from == 0 && s.clockIsStill() {
		s.calm = min(s.Step|(core.WallSteps-1), s.Limit+s.SoloSteps, s.polls, s.fair.next, s.Watch-1)
	}
	return of(next).number
}

// clockIsStill reports whether there is no timer that the clock may fire.
//
//go:norace
func (s *Tasks) clockIsStill() bool {
	if s.Clock == nil {
		return true
	}
	_, pending := s.runtime.NextTimer()
	return !pending
}

//go:norace
func (s *Tasks) Parked(reason string, external bool) {
	t := s.Running()
	h := of(t)
	h.word = 0
	switch {
	case h.resuming: // it waits again, in the same operation
	case h.pending:
		h.settled, h.decisions = true, t.Decisions
		s.settle(t)
		h.waitsIn = t.Op
	default:
		h.waitsIn = strategy.Op{}
	}
	if h.settled { // decisions while it waits belong to the operation, as if no point had followed it
		h.settled, h.resuming = false, true
		t.Ops--
		t.Decisions = h.decisions
	}
	h.parked, h.external, h.reason, h.since = true, external, reason, s.Step
	if external {
		s.externals++
	}
	s.Disable(t)
	if s.Tracing {
		s.traceParked(t)
	}
	t.Op = strategy.Op{Kind: strategy.Resume}
}

//go:norace
func (s *Tasks) Ended() {
	t := s.Running()
	s.settle(t)
	of(t).word = 0
	t.Ended = true
	s.Alive--
	s.Disable(t)
	t.Object = nil
	t.Op = strategy.Op{Kind: strategy.End}
	s.DidAlone(t, strategy.End)
	if of(t).number == 0 {
		s.endMain()
	}
}

//go:norace
func (s *Tasks) Next() int32 {
	if t := s.goesOn; t != nil {
		s.goesOn = nil
		return of(t).number
	}
	s.atRoot = true
	next := s.chosen()
	s.atRoot = false
	return next
}
