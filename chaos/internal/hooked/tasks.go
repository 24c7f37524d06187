package hooked

import (
	"errors"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// Tasks is the engine with the front end of package hooks. Its exported methods are those of core.Front and of
// seam.Controller, and what control.Engine calls.
type Tasks struct {
	core.Engine
	mechanism mechanism
	pooled    bool // the mechanism is coroutines: a host serves many tasks
	root      *host
	hosts     []*host
	idle      []*host

	weak          *weak    // nil if the memory is sequentially consistent
	withoutFences []string // Options.WithoutFences

	timers       timers
	outsiders    outsiders
	starts       starts
	externalWake *externalWake
	graceUsed    bool
}

var _ core.Front = (*Tasks)(nil)

// A task is a core.Task and what this front end keeps of it.
type task struct {
	task  core.Task
	host  *host  // whose goroutine runs it; nil before the first step
	timer *timer // of its hold
}

//go:norace
func of(t *core.Task) *task { return (*task)(unsafe.Pointer(t)) }

//go:norace
func (*Tasks) MakeTask() *core.Task { return &new(task).task }

//go:norace
func (*Tasks) Renew(t *core.Task) { of(t).host, of(t).timer = nil, nil }

// Options are core.Options, and those of control.Options that only this front end has.
type Options struct {
	core.Options
	Switch        core.Switch
	Memory        core.Memory
	WithoutFences []string
}

var (
	ErrInstalled     = errors.New("control: another engine is installed in this process; close it first")
	errNoGoroutineID = errors.New("control: goroutines cannot be distinguished on this platform, so they cannot be controlled")
)

// New installs the engine behind package hooks.
func New(o Options) (*core.Engine, error) {
	if !self.Known {
		return nil, errNoGoroutineID
	}
	e := &Tasks{withoutFences: o.WithoutFences}
	e.SetUp(o.Options, e)
	if o.Switch == core.Channels || o.Switch == core.Fastest && racing.Detector {
		e.mechanism = channels{}
	} else {
		e.mechanism, e.pooled = new(coroutines), true
	}
	e.root = &host{tasks: e}
	if !e.pooled {
		e.mechanism.start(e.root)
	}
	e.Control.Controller = e
	e.weaken(o.Memory)
	e.Control.SetRunning(noGoroutine)
	release, ok := seam.TakeControl(&e.Control)
	if !ok {
		return nil, ErrInstalled
	}
	e.Release = release
	e.outsiders.looks = &e.Looks
	e.outsiders.setEarlier(allGoroutines())
	e.starts.counter = newCounter()
	e.StartWatchdog()
	return &e.Engine, nil
}

// Cause implements control.Engine.Cause.
func (e *Tasks) Cause() string {
	if e.weak == nil {
		return ""
	}
	return e.weak.history.Cause()
}

// FencesNotMet implements control.Engine.FencesNotMet.
func (e *Tasks) FencesNotMet() (names []string) {
	for i, name := range e.withoutFences {
		if e.weak == nil || !e.weak.met[i] {
			names = append(names, name)
		}
	}
	return names
}

// Untracked implements control.Engine.Untracked.
func (e *Tasks) Untracked() string { return e.starts.report }

func (e *Tasks) Inside() (yes, reported bool) {
	if e.onTask() {
		return true, false
	}
	return false, e.outside()
}

func (e *Tasks) Begin() {
	if e.Within > 0 {
		e.Began = time.Now()
	}
	if e.weak != nil {
		e.Control.Publishing = false // an operation that has been done need not be visible yet
		e.weak.begin()
	}
	e.timers, e.externalWake = timers{list: e.timers.list}, nil
	e.starts.begin(e.Number)
	e.Looks = e.starts.closely
}

func (e *Tasks) Run(body func()) {
	main := e.NewTask(nil, body)
	if e.Racy {
		e.AddClock()
	}
	if !e.pooled {
		e.startOwnHost(main)
	}
	e.root.g = self.G()
	e.SetExecuting(true)
	e.outsiders.begin()
	e.loop(e.Choose())
	e.Edges.Load()
	e.reportOutsiders()
	e.outsiders.end()
	e.SetExecuting(false)
}

// loop gives control to the first task and serves the root's requests until the execution is
// over.
func (e *Tasks) loop(next *core.Task) {
	if next != nil {
		e.switchTo(e.root, next)
		e.Control.SetRunning(noGoroutine)
		if r, ok := e.Chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if e.weak != nil {
		e.weak.model.FlushAll()
	}
	if e.Alive > 0 {
		e.Edges.Load()
		if e.outsiders.hasArrived() || len(e.starts.untracked) > 0 {
			e.settleOutside(settling) // before the tasks, whose deferred calls take from them what they use
		}
		e.abandon()
	}
	e.timers.reset()
	e.Edges.Load()
}

func (e *Tasks) Close() {
	e.Stopping, e.Abandoning = true, true
	e.mechanism.stop(e.hosts)
	e.starts.counter.end()
	e.hosts, e.idle = nil, nil
}

func (e *Tasks) Start(f func()) {
	e.drainStores()
	e.spawn(e.Running(), f)
}

//go:norace
func (e *Tasks) Spawned(parent, t *core.Task) {
	if e.weak != nil {
		e.weak.spawned(parent, t)
	}
}

func (e *Tasks) ChooseOutcome(n int) int {
	i := e.PickAmong(n)
	if e.Tracing {
		e.TraceChoose(i)
	}
	return i
}

func (e *Tasks) AskBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool) {
	if racing.Detector {
		return &atRoot{Strategy: s, tasks: e}, true
	}
	return s, false
}

//go:norace
func (e *Tasks) Look() bool {
	e.checkStarts()
	e.Looks = e.outsiders.arrived || e.starts.closely
	return e.Stopping
}

//go:norace
func (e *Tasks) Ends() bool { return !e.advanceTime() && !e.canFlush() }

//go:norace
func (*Tasks) Overdue() int { return -1 }

//go:norace
func (e *Tasks) StepPseudo(t *core.Task) {
	if t == e.Clock {
		e.fireNext()
	} else {
		e.weak.model.Flush(t)
	}
}

//go:norace
func (e *Tasks) Ready(t *core.Task) bool {
	if t.Granted {
		return true
	}
	o := t.Object
	switch t.Op.Kind {
	case strategy.Lock:
		return !o.Locked && !o.Announced
	case strategy.RLock:
		return !o.Announced
	case strategy.Drain:
		return o.Readers == 0
	case strategy.Once:
		return !o.Locked
	case strategy.Wait:
		return t.Signalled || o.Counts && o.Readers == 0
	case strategy.Sleep:
		return false
	case strategy.Send, strategy.Receive, strategy.Select:
		return e.canCommunicate(t)
	}
	return true
}

//go:norace
func (*Tasks) WaitAlike(t, u *core.Task) bool {
	switch t.Op.Kind {
	case strategy.Lock, strategy.RLock, strategy.Once:
		return t.Op.Kind == u.Op.Kind && t.Granted == u.Granted
	case strategy.Wait: // of a wait group
		return u.Op.Kind == strategy.Wait && t.Object.Counts && !t.Signalled && !u.Signalled
	}
	return false
}

//go:norace
func (e *Tasks) TimerPending() bool { return len(e.timers.list) > 0 }

//go:norace
func (e *Tasks) RepeatsPoll(t *core.Task) bool {
	for i := range t.Cases {
		if x := t.Cases[i].X; x != nil && !t.Spin.RepeatsRead(e.Objects.At(x), true) {
			return false
		}
	}
	return true
}

//go:norace
func (*Tasks) RunsAlone(*core.Task) {}

//go:norace
func (*Tasks) RunsOn(*core.Task) bool { return false }

//go:norace
func (*Tasks) ReadsTime(*core.Task) {}

//go:norace
func (e *Tasks) Lasted() time.Duration { return time.Since(e.Began) }

//go:norace
func (*Tasks) LetOthersRun() {}

//go:norace
func (*Tasks) Cut() bool { return false }

// Recurring reports a livelock if half of the steps made no progress. If fewer did, it may be work: a loop under a lock.
//
//go:norace
func (e *Tasks) Recurring() (steps int, livelock bool) { return 0, e.Step-e.Progress >= e.Step/2 }

//go:norace
func (*Tasks) IsFailure() bool { return true }

//go:norace
func (*Tasks) LeavesCoroutines() bool { return false }

// Judges stops the watch for outsiders: a judge may have goroutines of its own.
func (e *Tasks) Judges() (done func()) {
	e.outsiders.watch(false)
	return func() { e.outsiders.watch(true) }
}

func (*Tasks) Interrupt(int) bool { return false }

//go:norace
func (e *Tasks) StopBefore(t *core.Task) {
	if t == e.Running() {
		core.Trap()
	} else {
		e.Stop.Task = t
	}
}

//go:norace
func (e *Tasks) GiveUp(t *core.Task) { e.turn(t, nil) }

//go:norace
func (e *Tasks) Nudge(t *core.Task) bool {
	for _, o := range e.Objects.List[:e.Objects.Used] {
		if core.Remove(&o.Queue, t) {
			e.wake(t, o)
			return true
		}
	}
	return false
}

//go:norace
func (e *Tasks) TimeEvent(event *core.Event) { event.Time = e.timers.now }

func (e *Tasks) Complete(r core.Result) core.Result {
	r.Timers, r.Sleeps = e.timers.armed, e.timers.slept
	return r
}

func (e *Tasks) Conclude(r core.Result) core.Result {
	if e.weak != nil {
		return e.weak.checkReliesOnSC(r)
	}
	return r
}

func (*Tasks) CompleteEnd(r strategy.Result) strategy.Result { return r }
