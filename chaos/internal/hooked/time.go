package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// Time is virtual. It does not advance while a task can continue, and jumps to the next timer when
// none can.

const (
	// maxIdleFirings bounds the timers that fire in a row and enable no task: tickers that no
	// task listens to.
	maxIdleFirings = 1000
)

// timers holds the timers that run, the next to fire first. (Lists and heaps of the standard
// library would run on the tasks' goroutines, where the race detector would see them.)
type timers struct {
	list  []*timer
	now   int64
	made  uint64
	armed int // timers that the subject has armed
	slept int // sleeps of its tasks
	// polled: a task has read the clock since it moved.
	polled bool
}

// A timer runs until it fires, and again if it has a period.
type timer struct {
	at, period int64
	number     uint64 // in the order of arming, which breaks ties
	running    bool

	sleeper *core.Task // to enable
	fire    func()     // to call
	asTask  bool       // to call it in a task of its own
	armer   *core.Task // the parent of that task
	armed   int        // of a trace: the event that armed it, counted from 1
}

// start makes the timer run for d.
//
//go:norace
func (s *timers) start(t *timer, d int64) {
	s.made++
	t.at, t.number, t.running = s.now+max(d, 0), s.made, true
	if t.at < s.now {
		t.at = 1<<63 - 1 // never
	}
	s.list = append(s.list, t)
	for i := len(s.list) - 1; i > 0 && s.list[i-1].at > t.at; i-- {
		s.list[i-1], s.list[i] = t, s.list[i-1]
	}
}

// stop stops the timer, and reports whether it ran.
//
//go:norace
func (s *timers) stop(t *timer) bool {
	if !t.running {
		return false
	}
	t.running = false
	last := len(s.list) - 1
	for i, found := 0, false; i < last; i++ {
		if found = found || s.list[i] == t; found {
			s.list[i] = s.list[i+1]
		}
	}
	s.list[last] = nil
	s.list = s.list[:last]
	return true
}

//go:norace
func (s *timers) reset() {
	for _, t := range s.list {
		t.running = false
	}
	s.list = s.list[:0]
	s.now, s.made, s.polled = 0, 0, false
}

// updateClock keeps the clock enabled while a timer runs.
//
//go:norace
func (e *Tasks) updateClock() {
	switch {
	case e.Clock == nil:
	case len(e.timers.list) > 0:
		e.Enable(e.Clock)
	default:
		e.Disable(e.Clock)
	}
}

// advanceTime is called when no task is enabled. It lets time pass, or lets the tasks that spin
// continue, and reports whether a task is enabled then.
//
//go:norace
func (e *Tasks) advanceTime() bool {
	if e.Alive == 0 {
		return false
	}
	e.Idles++ // a task that has announced to wait does so by now
	for range maxIdleFirings {
		if len(e.timers.list) == 0 {
			break
		}
		e.fireNext()
		if !e.NoneEnabled() {
			return true
		}
	}
	if e.timers.polled && len(e.Spinners) > 0 {
		e.timers.now += core.PollStep
		e.timers.polled = false
	}
	return e.ResumeSpinners()
}

// fireNext fires the first timer, at its time.
//
//go:norace
func (e *Tasks) fireNext() {
	s := &e.timers
	t := s.list[0]
	s.now, s.polled = max(s.now, t.at), false
	e.Hash = splitmix.Mix(e.Hash, t.number)
	s.stop(t)
	e.Firings, e.FiredAt = e.Firings+1, e.Step
	if e.Tracing {
		e.traceFiring(t)
	}
	racing.Acquire(unsafe.Pointer(t)) // arming comes before firing, which runs on any task's stack
	if t.period > 0 {
		s.start(t, t.period)
	}
	switch {
	case t.sleeper != nil:
		e.Enable(t.sleeper)
	case t.asTask:
		e.spawn(t.armer, t.fire)
		if e.Tracing {
			started := e.Tasks[e.NumTasks-1]
			e.LastTraced().Reached = []string{started.Path()}
			started.Causes.Started = len(e.Traced)
		}
	default:
		t.fire()
	}
	e.updateClock()
}

//go:norace
func (e *Tasks) Now() int64 {
	e.timers.polled = true
	return e.timers.now
}

// Sleep is also the delay of a fault; then p is nil.
//
//go:norace
func (e *Tasks) Sleep(p *seam.Point, d int64) {
	if e.Abandoning {
		e.countPass()
		e.unwind(e.Running())
	}
	t := e.Running()
	if p != nil {
		e.drainStores()
		e.Control.Passed = p
	} else if e.Tracing {
		t.Causes.NoPoint = true
	}
	if d <= 0 {
		e.Yield()
		if p != nil && e.weak != nil {
			e.synchronise(e.Objects.At(unsafe.Pointer(&e.timers)), 0)
		}
		return
	}
	if p != nil {
		e.timers.slept++
	}
	o := e.Objects.At(unsafe.Pointer(&e.timers))
	t.Object = o
	t.Op = strategy.Op{Kind: strategy.Sleep, Object: o.ID}
	e.QueueAnnouncement(t, o) // of two timers with one deadline, the one that was armed first fires first
	e.Disable(t)
	e.timers.start(&timer{sleeper: t}, d)
	e.updateClock()
	e.arrive(t)
	e.Did(t, o, strategy.Sleep)
	if p != nil {
		e.synchronise(o, 0)
	}
}

//go:norace
func (e *Tasks) Arm(p *seam.Point, x unsafe.Pointer, d, period int64, fire func(), asTask bool) bool {
	if e.Abandoning {
		e.countPass()
		return false
	}
	t, o := e.step(strategy.Store, p, x)
	s := &e.timers
	if o.Timer == nil {
		o.Timer = new(timer)
	}
	r := o.Timer.(*timer)
	was := s.stop(r)
	r.period, r.asTask, r.armer = period, asTask, t
	if fire != nil {
		r.fire = fire
	}
	if r.fire == nil {
		e.FailWith(verdict.Uncontrolled, "task "+t.Title()+" resets a timer that was made outside this execution: make it inside", "")
		return was
	}
	s.armed++
	s.start(r, d)
	racing.ReleaseMerge(unsafe.Pointer(r))
	e.updateClock()
	e.QueueAnnouncement(t, e.Objects.At(unsafe.Pointer(s)))
	e.Did(t, o, strategy.Store)
	e.synchronise(o, 0)
	r.armed = len(e.Traced)
	return was
}

//go:norace
func (e *Tasks) Disarm(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		e.countPass()
		return false
	}
	t, o := e.step(strategy.Store, p, x)
	was := o.Timer != nil && e.timers.stop(o.Timer.(*timer))
	e.updateClock()
	e.Did(t, o, strategy.Store)
	e.synchronise(o, 0)
	return was
}
