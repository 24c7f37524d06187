package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

// Time is virtual. It stands still while a task can go on, and jumps to the next
// timer when nobody can.

// timers are those that run, as a heap: the next to fire is the first. (Not package
// container/heap's: it runs on the tasks' goroutines, where the race detector would
// see it.)
type timers struct {
	heap []*timer
	now  int64
	made uint64
	// armed counts the timers that the subject has armed, and slept those by which a task of
	// its own sleeps.
	armed, slept int
	// polled: a task has looked at the clock since it moved.
	polled bool
}

// A timer runs until it fires, and again if it has a period.
type timer struct {
	at, period int64
	number     uint64 // in the order of arming: breaks ties
	place      int    // in the heap; -1 if it does not run

	sleeper *task  // to enable
	fire    func() // to call
	task    bool   // to call in a task of its own
	armer   *task  // whose child that is
	armed   int    // of a trace: the event that armed it, counted from 1
}

//go:norace
func (s *timers) reset() {
	for _, t := range s.heap {
		t.place = -1
	}
	s.heap = s.heap[:0]
	s.now, s.made, s.polled = 0, 0, false
}

//go:norace
func (s *timers) less(i, j int) bool {
	a, b := s.heap[i], s.heap[j]
	return a.at < b.at || a.at == b.at && a.number < b.number
}

//go:norace
func (s *timers) swap(i, j int) {
	s.heap[i], s.heap[j] = s.heap[j], s.heap[i]
	s.heap[i].place, s.heap[j].place = i, j
}

//go:norace
func (s *timers) up(i int) {
	for i > 0 && s.less(i, (i-1)/2) {
		s.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

//go:norace
func (s *timers) down(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(s.heap); c++ {
			if s.less(c, least) {
				least = c
			}
		}
		if least == i {
			return
		}
		s.swap(i, least)
		i = least
	}
}

// start makes the timer run for d.
//
//go:norace
func (s *timers) start(t *timer, d int64) {
	s.made++
	t.at, t.number, t.place = s.now+max(d, 0), s.made, len(s.heap)
	if t.at < s.now {
		t.at = 1<<63 - 1 // never
	}
	s.heap = append(s.heap, t)
	s.up(t.place)
}

// newClock makes the pseudo-task by which a strategy fires timers. It is enabled
// while a timer runs.
//
//go:norace
func (e *engine) newClock() {
	t := e.newTask(nil, nil)
	e.disable(t)
	e.alive--
	t.Key, t.Pseudo, t.label = strategy.ClockKey, true, "clock"
	t.Op = strategy.Op{Kind: strategy.Clock}
	e.clock = t
}

// wind keeps the clock enabled while a timer runs.
//
//go:norace
func (e *engine) updateClock() {
	switch {
	case e.clock == nil:
	case len(e.timers.heap) > 0:
		e.enable(e.clock)
	default:
		e.disable(e.clock)
	}
}

// stop makes it not run, and reports whether it did.
//
//go:norace
func (s *timers) stop(t *timer) bool {
	i := t.place
	if i < 0 {
		return false
	}
	last := len(s.heap) - 1
	s.swap(i, last)
	s.heap[last] = nil
	s.heap = s.heap[:last]
	t.place = -1
	if i < last {
		s.down(i)
		s.up(i)
	}
	return true
}

// idleOut is called when nobody is enabled. It lets time pass, or lets those who
// spin go on, and reports whether somebody is enabled then.
//
//go:norace
func (e *engine) advanceTime() bool {
	if e.alive == 0 {
		return false
	}
	e.idles++ // a task that has announced to wait does so by now
	for range maxFirings {
		if len(e.timers.heap) == 0 {
			break
		}
		e.fireNext()
		if len(e.Enabled) > 0 {
			return true
		}
	}
	if e.timers.polled && len(e.spinners) > 0 {
		e.timers.now += pollStep
		e.timers.polled = false
	}
	return e.resumeSpinners()
}

const (
	// maxFirings bounds the timers that fire in a row and enable nobody: tickers
	// that nobody listens to.
	maxFirings = 1000
	// pollStep is how far time moves when all there is to run polls the clock.
	pollStep = 1_000_000 // 1 ms
)

// fireNext fires the first timer, at its time.
//
//go:norace
func (e *engine) fireNext() {
	s := &e.timers
	t := s.heap[0]
	s.now, s.polled = max(s.now, t.at), false
	e.hash = splitmix.Mix(e.hash, t.number)
	s.stop(t)
	if e.tracing {
		e.traceFiring(t)
	}
	racing.Acquire(unsafe.Pointer(t)) // arming comes before firing; to the detector, the task in whose hook we are comes between
	if t.period > 0 {
		s.start(t, t.period)
	}
	switch {
	case t.sleeper != nil:
		e.enable(t.sleeper)
	case t.task:
		e.spawn(t.armer, t.fire)
		if e.tracing {
			e.lastTraced().Reached = []string{e.tasks[e.count-1].path()}
		}
	default:
		t.fire()
	}
	e.updateClock()
}

// Now implements seam.Controller.
//
//go:norace
func (e *engine) Now() int64 {
	e.timers.polled = true
	return e.timers.now
}

// Sleep implements seam.Controller.
//
//go:norace
func (e *engine) Sleep(p *seam.Point, d int64) {
	if e.abandoning {
		e.countPass()
		e.unwind(e.current())
	}
	t := e.current()
	if p != nil {
		e.drainStores()
		e.control.Passed = p
	} else if e.tracing {
		t.causes.noPoint = true
	}
	if d <= 0 {
		e.Yield()
		if p != nil && e.weak != nil {
			e.synchronise(e.objects.at(unsafe.Pointer(&e.timers)), 0)
		}
		return
	}
	if p != nil {
		e.timers.slept++
	}
	o := e.objects.at(unsafe.Pointer(&e.timers))
	t.object = o
	t.Op = strategy.Op{Kind: strategy.Sleep, Object: o.id}
	e.queueSignal(t, o) // of two timers of one deadline, the one that was armed first fires first
	e.disable(t)
	e.timers.start(&timer{sleeper: t}, d)
	e.updateClock()
	e.arrive(t)
	e.did(t, o, strategy.Sleep)
	if p != nil {
		e.synchronise(o, 0)
	}
}

// Arm implements seam.Controller.
//
//go:norace
func (e *engine) Arm(p *seam.Point, x unsafe.Pointer, d, period int64, fire func(), asTask bool) bool {
	if e.abandoning {
		e.countPass()
		return false
	}
	t, o := e.step(strategy.Store, p, x)
	s := &e.timers
	r := o.timer
	if r == nil {
		r = &timer{place: -1}
		o.timer = r
	}
	was := s.stop(r)
	r.period, r.task, r.armer = period, asTask, t
	if fire != nil {
		r.fire = fire
	}
	if r.fire == nil {
		e.fail(verdict.Uncontrolled, "task "+t.title()+" resets a timer that was made outside this execution: make it inside", "")
		return was
	}
	s.armed++
	s.start(r, d)
	racing.ReleaseMerge(unsafe.Pointer(r))
	e.updateClock()
	e.queueSignal(t, e.objects.at(unsafe.Pointer(s)))
	e.did(t, o, strategy.Store)
	e.synchronise(o, 0)
	r.armed = len(e.traced)
	return was
}

// Disarm implements seam.Controller.
//
//go:norace
func (e *engine) Disarm(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		e.countPass()
		return false
	}
	t, o := e.step(strategy.Store, p, x)
	was := o.timer != nil && e.timers.stop(o.timer)
	e.updateClock()
	e.did(t, o, strategy.Store)
	e.synchronise(o, 0)
	return was
}
