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

	atRoot       bool
	began        int64 // real time
	cutting      bool  // the root is to see whether the limit is the verdict
	interrupted  *task
	looks        int     // of Runtime.Looks, when the time moved last
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
	tainted      string
	sleeps       byte // its address is the object of all sleeps
}

// realTask is what a task of a Runtime has besides.
type realTask struct {
	number  int32
	pending bool // it has announced what it does until it comes back
	failed  bool // that has done no more than read
	// resuming: the operation, of a task that had parked in it, has been recorded. It counts from when
	// the task continues, so that the numbers of a task's operations do not depend on its waits.
	resuming bool
	wakes    []*strategy.Task // tasks that it has woken

	word     uintptr // the address of an int32: it cannot do its operation while that has bits of busy
	busy     int32
	awaits   bool // it is among the waiters of its object
	polls    []*object
	parked   bool
	external bool
	reason   string // it has parked for that
	yielded  int    // how often, since the execution's progress was
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
	s.settle(t)
	t.Op = strategy.Op{Kind: strategy.Kind(kind)}
	t.object, t.hasDefault = nil, t.Op.Kind == strategy.Select
	if t.Op.Kind == strategy.Sleep {
		x = unsafe.Pointer(&s.sleeps) // of two with one deadline, either may end first
	}
	if x != nil {
		o := s.objects.at(x)
		t.object = o
		t.Op.Object = o.id
		if word != nil {
			t.real.word, t.real.busy = uintptr(unsafe.Pointer(word)), busy
			if *word&busy != 0 {
				s.awaitLock(t)
			}
		}
		if t.hasDefault {
			t.real.polls = append(t.real.polls[:0], o)
		}
	} else if t.Op.Kind == strategy.Yield {
		s.yields(t)
	}
	return s.announced(t)
}

//go:norace
func (s *runtimeTasks) Select(channels []unsafe.Pointer, poll bool) int32 {
	t := s.current()
	s.settle(t)
	t.Op = strategy.Op{Kind: strategy.Select, Others: t.Op.Others[:0]}
	t.object, t.hasDefault = nil, poll
	t.real.polls = t.real.polls[:0]
	for _, x := range channels {
		o := s.objects.at(x)
		if t.object == nil {
			t.object = o
			t.Op.Object = o.id
		} else if !t.Op.Touches(o.id) {
			t.Op.Others = append(t.Op.Others, o.id)
		}
		t.real.polls = append(t.real.polls, o)
	}
	return s.announced(t)
}

// announced decides who continues, once t has announced its operation.
//
//go:norace
func (s *runtimeTasks) announced(t *task) int32 {
	t.real.pending = true
	if s.tracing {
		s.traceStack(t)
	}
	return s.chosen()
}

//go:norace
func (s *runtimeTasks) After() int32 {
	t := s.current()
	s.settle(t)
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
	next := s.choose()
	if next == nil {
		return None
	}
	s.setCurrent(next)
	h := &next.real
	if h.awaits {
		h.awaits = false
		s.awaiting--
		next.object.removeWaiter(next)
	}
	h.word = 0
	return h.number
}

// canLock reports whether the lock that t waits for is free. The engine must not hold a pointer to it,
// by which the garbage collector would find it: objects.kept does.
//
//go:norace
func (t *task) canLock() bool {
	return **(**int32)(unsafe.Pointer(&t.real.word))&t.real.busy == 0
}

// awaitLock makes t wait until its lock is free.
//
//go:norace
func (s *runtimeTasks) awaitLock(t *task) {
	t.real.awaits = true
	s.awaiting++
	t.real.since = s.Step
	t.object.addWaiter(t)
	s.disable(t)
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
	if h.pending && !h.resuming {
		decisions := t.decisions
		s.settle(t)
		t.Ops--
		t.decisions = decisions
		h.resuming = true
		h.waitsIn = t.Op
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
