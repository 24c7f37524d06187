package control

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
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

	weak          *weak    // nil: the memory is sequentially consistent
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
	if e.patience > 0 {
		e.watchdog = newWatchdog(&e.engine, e.patience, die)
		go e.watchdog.run()
	}
	return &Engine{&e.engine}, nil
}

func (h *hookedTasks) inside() (yes, reported bool) {
	if h.onTask() {
		return true, false
	}
	return false, h.outside()
}

func (h *hookedTasks) begin() {
	if h.within > 0 {
		h.began = time.Now()
	}
	if h.weak != nil {
		h.control.Publishing = false // an operation that has been done need not be visible yet
		h.weak.begin()
	}
	h.timers, h.externalWake = timers{list: h.timers.list}, nil
	h.starts.begin(h.number)
	h.looks = h.starts.closely
}

func (h *hookedTasks) run(body func()) {
	main := h.newTask(nil, body)
	if h.racy {
		h.addClock()
	}
	if !h.pooled {
		h.startOwnHost(main)
	}
	h.root.g = self.G()
	h.setExecuting(true)
	h.outsiders.begin()
	h.loop(h.choose())
	h.edges.Load()
	h.reportOutsiders()
	h.outsiders.end()
	h.setExecuting(false)
}

// loop gives control to the first task and serves the root's requests until the execution is
// over.
func (h *hookedTasks) loop(next *task) {
	if next != nil {
		h.switchTo(h.root, next)
		h.control.SetRunning(noGoroutine)
		if r, ok := h.chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if h.weak != nil {
		h.weak.model.flushAll()
	}
	if h.alive > 0 {
		h.edges.Load()
		if h.outsiders.hasArrived() || len(h.starts.untracked) > 0 {
			h.settleOutside(settling) // before the tasks, whose deferred calls take from them what they use
		}
		h.abandon()
	}
	h.timers.reset()
	h.edges.Load()
}

func (h *hookedTasks) close() {
	h.stopping, h.abandoning = true, true
	h.mechanism.stop(h.hosts)
	h.starts.counter.end()
	h.hosts, h.idle = nil, nil
}

func (h *hookedTasks) start(f func()) {
	h.drainStores()
	h.spawn(h.current(), f)
}

//go:norace
func (h *hookedTasks) spawned(parent, t *task) {
	if h.weak != nil {
		h.weak.spawned(parent, t)
	}
}

func (h *hookedTasks) chooseOutcome(n int) int {
	i := h.pick(n)
	if h.tracing {
		h.traceChoose(i)
	}
	return i
}

func (h *hookedTasks) askBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool) {
	if racing.Detector {
		return &atRoot{Strategy: s, tasks: h}, true
	}
	return s, false
}

//go:norace
func (h *hookedTasks) look() bool {
	h.checkStarts()
	h.looks = h.outsiders.arrived || h.starts.closely
	return h.stopping
}

//go:norace
func (h *hookedTasks) ends() bool { return !h.advanceTime() && !h.canFlush() }

//go:norace
func (*hookedTasks) overdue() int { return -1 }

//go:norace
func (h *hookedTasks) stepPseudo(t *task) {
	if t == h.clock {
		h.fireNext()
	} else {
		h.weak.model.flush(t)
	}
}

//go:norace
func (h *hookedTasks) ready(t *task) bool {
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
		return h.canCommunicate(t)
	}
	return true
}

//go:norace
func (h *hookedTasks) timerPending() bool { return len(h.timers.list) > 0 }

//go:norace
func (h *hookedTasks) repeatsPoll(t *task) bool {
	for i := range t.cases {
		if x := t.cases[i].X; x != nil && !t.spin.repeatsRead(h.objects.at(x), true) {
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
func (h *hookedTasks) lasted() time.Duration { return time.Since(h.began) }

//go:norace
func (*hookedTasks) letOthersRun() {}

//go:norace
func (*hookedTasks) cut() bool { return false }

// recurring: it is a livelock if half of the steps made no progress, and not if fewer did: a loop under a lock may be
// work.
//
//go:norace
func (h *hookedTasks) recurring() (steps int, livelock bool) { return 0, h.Step-h.progress >= h.Step/2 }

//go:norace
func (*hookedTasks) isFailure() bool { return true }

//go:norace
func (*hookedTasks) leavesCoroutines() bool { return false }

// judges: a judge may have goroutines of its own.
func (h *hookedTasks) judges() (done func()) {
	h.outsiders.watch(false)
	return func() { h.outsiders.watch(true) }
}

func (*hookedTasks) interrupt(int) bool { return false }

//go:norace
func (h *hookedTasks) stopBefore(t *task) {
	if t == h.current() {
		trap()
	} else {
		h.stop.task = t
	}
}

//go:norace
func (h *hookedTasks) giveUp(t *task) { h.turn(t, nil) }

//go:norace
func (h *hookedTasks) nudge(t *task) bool {
	for _, o := range h.objects.list[:h.objects.used] {
		if remove(&o.queue, t) {
			h.wake(t, o)
			return true
		}
	}
	return false
}

//go:norace
func (h *hookedTasks) timeEvent(event *Event) { event.Time = h.timers.now }

func (h *hookedTasks) complete(r Result) Result {
	r.Timers, r.Sleeps = h.timers.armed, h.timers.slept
	return r
}

func (h *hookedTasks) conclude(r Result) Result {
	if h.weak != nil {
		return h.weak.checkReliesOnSC(r)
	}
	return r
}

func (*hookedTasks) completeEnd(r strategy.Result) strategy.Result { return r }
