package control

import (
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// hookedTasks is the front end of a subject that uses package hooks: a model for each drop-in (mutex.go,
// channel.go ...) knows what its tasks wait for.
type hookedTasks struct {
	engine
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

var _ front = (*hookedTasks)(nil)

// installHooks installs the engine behind package hooks.
func installHooks(o Options) (*Engine, error) {
	if !hooks.Enabled {
		return nil, errNotChaos
	}
	if !self.Known {
		return nil, errNoGoroutineID
	}
	e := &hookedTasks{withoutFences: o.WithoutFences}
	e.setUp(o, e)
	if o.Switch == Channels || o.Switch == Fastest && racing.Detector {
		e.mechanism = channels{}
	} else {
		e.mechanism, e.pooled = new(coroutines), true
	}
	e.root = &host{tasks: e}
	if !e.pooled {
		e.mechanism.start(e.root)
	}
	e.control.Controller = e
	e.weaken(o.Memory)
	e.control.SetRunning(noGoroutine)
	release, ok := seam.TakeControl(&e.control)
	if !ok {
		return nil, errInstalled
	}
	e.release = release
	e.outsiders.looks = &e.looks
	e.outsiders.setEarlier(allGoroutines())
	e.starts.counter = newCounter()
	e.startWatchdog()
	return &Engine{&e.engine}, nil
}

func (e *hookedTasks) inside() (yes, reported bool) {
	if e.onTask() {
		return true, false
	}
	return false, e.outside()
}

func (e *hookedTasks) begin() {
	if e.within > 0 {
		e.began = time.Now()
	}
	if e.weak != nil {
		e.control.Publishing = false // an operation that has been done need not be visible yet
		e.weak.begin()
	}
	e.timers, e.externalWake = timers{list: e.timers.list}, nil
	e.starts.begin(e.number)
	e.looks = e.starts.closely
}

func (e *hookedTasks) run(body func()) {
	main := e.newTask(nil, body)
	if e.racy {
		e.addClock()
	}
	if !e.pooled {
		e.startOwnHost(main)
	}
	e.root.g = self.G()
	e.setExecuting(true)
	e.outsiders.begin()
	e.loop(e.choose())
	e.edges.Load()
	e.reportOutsiders()
	e.outsiders.end()
	e.setExecuting(false)
}

// loop gives control to the first task and serves the root's requests until the execution is
// over.
func (e *hookedTasks) loop(next *task) {
	if next != nil {
		e.switchTo(e.root, next)
		e.control.SetRunning(noGoroutine)
		if r, ok := e.chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if e.weak != nil {
		e.weak.model.flushAll()
	}
	if e.alive > 0 {
		e.edges.Load()
		if e.outsiders.hasArrived() || len(e.starts.untracked) > 0 {
			e.settleOutside(settling) // before the tasks, whose deferred calls take from them what they use
		}
		e.abandon()
	}
	e.timers.reset()
	e.edges.Load()
}

func (e *hookedTasks) close() {
	e.stopping, e.abandoning = true, true
	e.mechanism.stop(e.hosts)
	e.starts.counter.end()
	e.hosts, e.idle = nil, nil
}

func (e *hookedTasks) start(f func()) {
	e.drainStores()
	e.spawn(e.current(), f)
}

//go:norace
func (e *hookedTasks) spawned(parent, t *task) {
	if e.weak != nil {
		e.weak.spawned(parent, t)
	}
}

func (e *hookedTasks) chooseOutcome(n int) int {
	i := e.pick(n)
	if e.tracing {
		e.traceChoose(i)
	}
	return i
}

func (e *hookedTasks) askBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool) {
	if racing.Detector {
		return &atRoot{Strategy: s, tasks: e}, true
	}
	return s, false
}

//go:norace
func (e *hookedTasks) look() bool {
	e.checkStarts()
	e.looks = e.outsiders.arrived || e.starts.closely
	return e.stopping
}

//go:norace
func (e *hookedTasks) ends() bool { return !e.advanceTime() && !e.canFlush() }

//go:norace
func (*hookedTasks) overdue() int { return -1 }

//go:norace
func (e *hookedTasks) stepPseudo(t *task) {
	if t == e.clock {
		e.fireNext()
	} else {
		e.weak.model.flush(t)
	}
}

//go:norace
func (e *hookedTasks) ready(t *task) bool {
	if t.granted {
		return true
	}
	o := t.object
	switch t.Op.Kind {
	case strategy.Lock:
		return !o.locked && !o.announced
	case strategy.RLock:
		return !o.announced
	case strategy.Drain:
		return o.readers == 0
	case strategy.Once:
		return !o.locked
	case strategy.Wait:
		return t.signalled || o.counts && o.readers == 0
	case strategy.Sleep:
		return false
	case strategy.Send, strategy.Receive, strategy.Select:
		return e.canCommunicate(t)
	}
	return true
}

//go:norace
func (e *hookedTasks) timerPending() bool { return len(e.timers.list) > 0 }

//go:norace
func (e *hookedTasks) repeatsPoll(t *task) bool {
	for i := range t.cases {
		if x := t.cases[i].X; x != nil && !t.spin.repeatsRead(e.objects.at(x), true) {
			return false
		}
	}
	return true
}

//go:norace
func (*hookedTasks) runsAlone(*task) {}

//go:norace
func (*hookedTasks) runsOn(*task) bool { return false }

//go:norace
func (*hookedTasks) readsTime(*task) {}

//go:norace
func (e *hookedTasks) lasted() time.Duration { return time.Since(e.began) }

//go:norace
func (*hookedTasks) letOthersRun() {}

//go:norace
func (*hookedTasks) cut() bool { return false }

// recurring: it is a livelock if half of the steps made no progress, and not if fewer did: a loop under a lock may be
// work.
//
//go:norace
func (e *hookedTasks) recurring() (steps int, livelock bool) { return 0, e.Step-e.progress >= e.Step/2 }

//go:norace
func (*hookedTasks) isFailure() bool { return true }

//go:norace
func (*hookedTasks) leavesCoroutines() bool { return false }

// judges stops the watch for outsiders: a judge may have goroutines of its own.
func (e *hookedTasks) judges() (done func()) {
	e.outsiders.watch(false)
	return func() { e.outsiders.watch(true) }
}

func (*hookedTasks) interrupt(int) bool { return false }

//go:norace
func (e *hookedTasks) stopBefore(t *task) {
	if t == e.current() {
		trap()
	} else {
		e.stop.task = t
	}
}

//go:norace
func (e *hookedTasks) giveUp(t *task) { e.turn(t, nil) }

//go:norace
func (e *hookedTasks) nudge(t *task) bool {
	for _, o := range e.objects.list[:e.objects.used] {
		if remove(&o.queue, t) {
			e.wake(t, o)
			return true
		}
	}
	return false
}

//go:norace
func (e *hookedTasks) timeEvent(event *Event) { event.Time = e.timers.now }

func (e *hookedTasks) complete(r Result) Result {
	r.Timers, r.Sleeps = e.timers.armed, e.timers.slept
	return r
}

func (e *hookedTasks) conclude(r Result) Result {
	if e.weak != nil {
		return e.weak.checkReliesOnSC(r)
	}
	return r
}

func (*hookedTasks) completeEnd(r strategy.Result) strategy.Result { return r }
