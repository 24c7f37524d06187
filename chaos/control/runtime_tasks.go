package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// runtimeTasks is the engine as a Runtime sees it: the other front end of the core in decide.go,
// step.go and spin.go, beside the models of the drop-ins. A model changes its object itself; here the
// operation is real and follows the decision, and what it did is known when the task comes back:
//
//	Point   what the task announced last has been done (settle); the strategy chooses
//	Parked  so it has, and the task waits
//	Woken   the task can continue: a step of kind Resume, which is about no object
//
// A task that waits for a lock has stopped at the point before it, and is enabled while the lock is
// free: the engine looks at its word. All other waits are real ones, after the operation.
type runtimeTasks struct {
	*engine
	runtime Runtime
	tasks   []*task // by number

	// calm is the step up to which a task at a point needs no more than the strategy's choice, if any.
	calm         int
	atRoot       bool
	began        int64 // real time
	cutting      bool  // the root is to see whether the limit is the verdict
	interrupted  *task
	looks        int     // of Runtime.Looks, when the time moved last
	polls        int     // step at which pollTime is called next
	mainEnded    bool    // the first task has
	ends         int64   // virtual time at which the execution ends, once it has
	poll         int64   // by how much the time has moved last, for tasks that ask for it
	checks       int64   // virtual time at which to look for tasks that nothing can wake
	awaiting     int     // tasks that wait for a lock
	armed, slept int     // as in Result
	externals    int     // tasks that wait for something outside
	fruitless    int     // waits for it in a row in which nothing came
	lost         []*task // that nothing can wake
	outside      Outsiders
	fair         fairness
	tainted      string
	places       map[string]place // of a trace, by stack
	sleeps       byte             // its address is the object of all sleeps
}

// realTask is what a task of a Runtime has besides.
type realTask struct {
	number  int32
	pending bool // it has announced what it does until it comes back
	failed  bool // that has done no more than read
	// resuming: the operation, of a task that had parked in it, has been recorded. It counts from when
	// the task continues, so that the numbers of a task's operations do not depend on its waits.
	resuming bool
	// settled: its last operation has been recorded, and it has announced no other. decisions are those
	// before that operation.
	settled   bool
	decisions int32
	wakes     []*strategy.Task // tasks that it has woken

	word     uintptr // the address of an int32: it cannot do its operation while that has bits of busy
	busy     int32
	awaits   bool      // it is among the waiters of its object
	polls    []*object // of a select
	others   []int     // for Op.Others, to use again
	x        uintptr   // the address of the object, if there is one
	parked   bool
	external bool
	reason   string // it has parked for that
	yielded  int    // how often, since the execution's progress was progress
	progress int
	waitsIn  strategy.Op
	since    int       // the step in which it parked, or stopped before a lock
	pcs      []uintptr // of a trace: its stack at the point
}

// Outsiders says how often something outside has woken a task of a Runtime: an execution in which that
// happens need not repeat.
type Outsiders struct {
	Wakes int
	First string // what the task that was woken first had waited for, and where
}

//go:norace
func (s *runtimeTasks) begin() {
	for i := range s.tasks {
		s.tasks[i] = nil
	}
	*s = runtimeTasks{engine: s.engine, runtime: s.runtime, tasks: s.tasks[:0], tainted: s.tainted, checks: hour, lost: s.lost[:0]}
}

//go:norace
func (s *runtimeTasks) Started(parent int32, pc uintptr) {
	var p *task
	switch {
	case parent >= 0:
		p = s.tasks[parent]
	case len(s.tasks) > 0:
		p = s.tasks[0]
	}
	t := s.newTask(p, nil)
	t.real.number, t.real.pending = int32(len(s.tasks)), true
	s.tasks = append(s.tasks, t)
	if p != nil {
		s.queueSpawn(p, t)
	} else if s.racy {
		s.addClock()
	}
}

//go:norace
func (s *runtimeTasks) Woken(number, by int32) {
	t := s.tasks[number]
	if !t.real.parked {
		return
	}
	t.real.parked = false
	if t.real.external {
		t.real.external = false
		s.externals--
	}
	if by == Outside {
		s.wokenOutside(t)
	} else if by >= 0 {
		w := s.tasks[by]
		w.real.wakes = append(w.real.wakes, &t.Task)
	}
	s.enable(t)
}

//go:norace
func (s *runtimeTasks) Failed() {
	if t := s.current(); t != nil {
		t.real.failed = true
	}
}

//go:norace
func (s *runtimeTasks) Point(kind uint8, x unsafe.Pointer, word *int32, busy int32) int32 {
	t := s.current()
	if t.real.pending {
		s.settle(t)
	} else if t.real.resuming {
		s.resumed(t)
	}
	t.real.pending, t.real.settled = true, false
	k := strategy.Kind(kind)
	t.Op.Kind = k
	if t.Op.Others != nil {
		t.Op.Others = nil
	}
	switch {
	case k == strategy.Sleep:
		x = unsafe.Pointer(&s.sleeps) // of two with one deadline, either may end first
	case x == nil:
		t.object, t.Op.Object, t.real.word = nil, 0, 0
		t.hasDefault = k == strategy.Select
		t.real.polls = t.real.polls[:0]
		if k == strategy.Yield {
			s.yields(t)
		}
		return s.announced(t)
	}
	o := t.object
	if o == nil || t.real.x != uintptr(x) {
		o = s.objects.at(x)
		t.object, t.real.x = o, uintptr(x)
	}
	t.Op.Object = o.id
	if t.real.word = uintptr(unsafe.Pointer(word)); word != nil {
		if t.real.busy = busy; *word&busy != 0 {
			s.awaitLock(t)
			s.disable(t)
		}
	}
	if t.hasDefault = k == strategy.Select; t.hasDefault {
		t.real.polls = append(t.real.polls[:0], o)
	}
	if s.Step < s.calm && !t.repeating && !s.stopping {
		switch n := len(s.Enabled); {
		case n > 1:
			return s.contested(t)
		case n == 1 && s.unforced && t.place == 0: // there is nothing to choose
			s.Step++
			t.decisions++
			return t.real.number
		}
	}
	return s.announced(t)
}

// contested is chosen where nothing but the strategy is to be asked, and t is at a point.
//
//go:norace
func (s *runtimeTasks) contested(t *task) (number int32) {
	number = None // if the strategy panics
	defer s.recoverStrategy()
	next := of(s.Enabled[s.ask()])
	s.Step++
	t.decisions++
	if next != t {
		s.leave(t, next)
	}
	return next.real.number
}

// leave makes next the current task, in place of t, which is at a point and may be about to lock.
//
//go:norace
func (s *runtimeTasks) leave(t, next *task) {
	if t != nil && t.real.word != 0 && !t.real.awaits {
		s.awaitLock(t)
	}
	s.setCurrent(next)
	if next.real.awaits {
		s.stopAwaiting(next)
	}
}

// stopAwaiting is called when t, which has waited for a lock, has been chosen to take it.
//
//go:norace
func (s *runtimeTasks) stopAwaiting(t *task) {
	t.real.awaits = false
	s.awaiting--
	t.object.removeWaiter(t)
}

//go:norace
func (s *runtimeTasks) Select(channels []unsafe.Pointer, poll bool) int32 {
	t := s.current()
	s.settle(t)
	t.real.pending, t.real.settled, t.real.word = true, false, 0
	t.Op = strategy.Op{Kind: strategy.Select}
	t.object, t.hasDefault = nil, poll
	t.real.polls = t.real.polls[:0]
	others := t.real.others[:0]
	for _, x := range channels {
		o := s.objects.at(x)
		t.real.polls = append(t.real.polls, o)
		if t.object == nil {
			t.object, t.real.x = o, uintptr(x)
			t.Op.Object = o.id
		} else if t.Op.Others = others; !t.Op.Touches(o.id) {
			others = append(others, o.id)
			t.Op.Others = others
		}
	}
	if t.real.others = others; s.observer != nil {
		t.real.others = nil // events refer to it
	}
	return s.announced(t)
}

// announced decides who continues, once t has announced its operation.
//
//go:norace
func (s *runtimeTasks) announced(t *task) int32 {
	if s.tracing {
		s.traceStack(t)
	}
	return s.chosen()
}

//go:norace
func (s *runtimeTasks) After() int32 {
	t := s.current()
	if !t.real.pending && !t.real.resuming { // of an operation inside another one
		return t.real.number
	}
	t.real.settled, t.real.decisions = t.real.pending, t.decisions
	s.settle(t)
	t.real.word = 0
	if s.lone() {
		return t.real.number
	}
	t.Op = strategy.Op{Kind: strategy.After} // until it announces something else
	t.decisionsAfter = 0
	return s.chosen()
}

//go:norace
func (s *runtimeTasks) Pick(n int) int {
	if s.stopping {
		return 0
	}
	defer s.recoverStrategy()
	return s.pick(n)
}

// chosen decides which task continues, on the stack of the current one or the root's.
//
//go:norace
func (s *runtimeTasks) chosen() int32 {
	var next *task
	if s.Step >= s.polls && s.pollTime() {
		next = s.chooseInTurn()
	} else {
		next = s.choose()
	}
	if next == nil {
		return None
	}
	if t := s.current(); next != t {
		s.leave(t, next)
	} else if t.real.awaits {
		s.stopAwaiting(t)
	}
	if s.calm = 0; s.clock == nil && !s.tracing && s.fair.turn == nil {
		s.calm = min(s.Step|(wallSteps-1), s.limit+s.soloSteps, s.polls, s.fair.next)
	}
	return next.real.number
}

// canLock reports whether the lock that t waits for is free. The engine must not hold a pointer to it,
// by which the garbage collector would find it: objects.kept does.
//
//go:norace
func (t *task) canLock() bool {
	return **(**int32)(unsafe.Pointer(&t.real.word))&t.real.busy == 0
}

// awaitLock makes t, which is about to lock, depend on whether its lock is free.
//
//go:norace
func (s *runtimeTasks) awaitLock(t *task) {
	t.real.awaits = true
	t.real.since = s.Step
	s.awaiting++
	t.object.addWaiter(t)
}

// settle records what t has done since it was chosen.
//
//go:norace
func (s *runtimeTasks) settle(t *task) {
	h := &t.real
	if h.resuming {
		s.resumed(t)
	}
	if !h.pending {
		return
	}
	h.pending = false
	kind, o := t.Op.Kind, t.object
	queued := len(s.events)
	if h.failed {
		h.failed = false
		kind = strategy.Load
	}
	if o == nil {
		s.didAlone(t, kind)
	} else {
		s.did(t, o, kind)
		s.didOthers(t, o, kind)
		if len(o.waiters) > 0 {
			s.changed(o)
		}
	}
	if len(h.wakes) > 0 {
		s.didWake(t, queued)
	}
}

// didOthers records the objects of a select besides the first.
//
//go:norace
func (s *runtimeTasks) didOthers(t *task, first *object, kind strategy.Kind) {
	if t.Op.Kind != strategy.Select {
		return
	}
	act := splitmix.Mix(t.Key, uint64(t.Ops))
	for _, o := range t.real.polls {
		switch {
		case o == first:
		case kind == strategy.Load:
			o.since += act
			t.repeating = t.spin.read(o, true)
		default:
			o.order = splitmix.Mix(o.order+o.since, act)
			o.since = 0
			o.writes++
		}
	}
}

// didWake adds the tasks that t has woken to its event, which is the i-th of those queued if the
// observer needs it.
//
//go:norace
func (s *runtimeTasks) didWake(t *task, i int) {
	h := &t.real
	if i < len(s.events) {
		for _, w := range h.wakes { // not by append, which the race detector would see
			s.events[i].Wakes = append(s.events[i].Wakes, w)
		}
	}
	if s.tracing {
		for _, w := range h.wakes {
			s.reach(of(w))
		}
	}
	h.wakes = h.wakes[:0]
}

// resumed counts the operation of a task that has continued after a wait.
//
//go:norace
func (s *runtimeTasks) resumed(t *task) {
	t.real.resuming = false
	t.Ops++
	t.decisions = 0
	t.moved = s.Step
	s.hash = (s.hash ^ (splitmix.Mix(t.Key, uint64(t.Ops)) + uint64(strategy.Resume)<<8)) * 0x9e3779b97f4a7c15
	s.hash ^= s.hash >> 29
}

//go:norace
func (s *runtimeTasks) Parked(reason string, external bool) {
	t := s.current()
	h := &t.real
	h.word = 0
	if h.pending && !h.resuming {
		h.settled, h.decisions = true, t.decisions
		s.settle(t)
		h.waitsIn = t.Op
	}
	if h.settled { // decisions while it waits are of the operation, as if no point had followed that
		h.settled, h.resuming = false, true
		t.Ops--
		t.decisions = h.decisions
	}
	h.parked, h.external, h.reason, h.since = true, external, reason, s.Step
	if external {
		s.externals++
	}
	s.disable(t)
	if s.tracing {
		s.traceParked(t)
	}
	t.Op = strategy.Op{Kind: strategy.Resume}
}

//go:norace
func (s *runtimeTasks) Ended() {
	t := s.current()
	s.settle(t)
	t.real.word = 0
	t.ended = true
	s.alive--
	s.disable(t)
	t.object = nil
	t.Op = strategy.Op{Kind: strategy.End}
	s.didAlone(t, strategy.End)
	if t.real.number == 0 {
		s.endMain()
	}
}

// lone reports whether at most one task can continue, beside the clock.
//
//go:norace
func (s *runtimeTasks) lone() bool {
	n := len(s.Enabled)
	return n < 2 || n == 2 && s.clock != nil && s.clock.place >= 0
}

//go:norace
func (s *runtimeTasks) Next() int32 {
	s.atRoot = true
	next := s.chosen()
	s.atRoot = false
	return next
}
