package control

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// Options of an Engine. The zero value of each field is a choice that serves most.
type Options struct {
	// Strategy chooses the schedules; nil is strategy.Random().
	Strategy strategy.Strategy
	// Switch is how goroutines are switched.
	Switch Switch
	// Plan is what is to go wrong; nothing, if it is zero. What fires is drawn from
	// the seed of each execution, not from the plan's, and delays pass in virtual
	// time.
	Plan plan.Plan
	// Clock is when timers fire.
	Clock Clock
	// Points makes a decision at each hook point as well, not only at operations.
	// It is for code whose windows are not operations: plain variables, with hook
	// points between their uses.
	Points bool
	// MaxSteps cuts an execution that takes more decisions; 0 is 1,000,000.
	MaxSteps int
	// MaxSpins is how often all tasks that are left may spin at once before that is
	// a livelock; 0 is 1,000.
	MaxSpins int
	// Patience is how long, in real time, a task may block where the engine does not
	// see it; then the watchdog prints where, and ends the process by a panic. A task
	// that computes without passing a hook has six times as long. 0 is
	// DefaultPatience, and a negative one is no watchdog.
	Patience time.Duration
}

// A Clock is a way in which virtual time passes.
type Clock int

// The ways in which time passes.
const (
	// Lazy: time stands still while a task can go on, and jumps to the next timer
	// when nobody can. What is computed takes no time.
	Lazy Clock = iota
	// Racy: the next timer may fire at any step, whenever the strategy says so, and
	// time jumps there. What is computed takes any time; a timeout can hit in the
	// middle of anything.
	Racy
)

// A Switch is a way to switch goroutines.
type Switch int

// The ways to switch. Schedules do not depend on it.
const (
	// Fastest is Coroutines, or Channels in a binary with the race detector.
	Fastest Switch = iota
	// Coroutines is iter.Pull. It must not be used where a task or the caller of Run
	// is locked to its thread, and the race detector finds nothing under it.
	Coroutines
	// Channels is a channel for each goroutine.
	Channels
)

// Why New refuses.
var (
	// ErrNotChaos: the hooks of this binary are empty.
	ErrNotChaos = errors.New("control: this binary was built without -tags chaos, so its hooks do nothing; build with -tags chaos")
	// ErrInstalled: the process has one engine at a time, of whatever kind.
	ErrInstalled = errors.New("control: another engine is installed in this process; close it first")
	// ErrAlike: goroutines can't be told apart on this platform.
	ErrAlike = errors.New("control: goroutines can't be told apart on this platform, so nothing can be controlled")
)

// An Engine runs executions, one after the other. Its methods must be called by
// one goroutine at a time, and, but for those that say so, not from inside an
// execution.
type Engine struct{ in *engine }

// An engine is what the hooks see.
type engine struct {
	control   seam.Control
	release   func()
	mechanism mechanism
	strategy  strategy.Strategy
	chooser   strategy.Strategy // the strategy, asked where it may be asked: see atRoot
	observer  strategy.Observer
	naming    bool
	points    bool
	racy      bool
	maxSteps  int
	maxSpins  int

	root  *host
	hosts []*host
	idle  []*host

	faults faults

	executing bool
	watchdog  *watchdog // nil: there is none

	tracing bool
	traced  []Event

	execution // the one under way
	number    int
	names     map[uint64]uint64
	meeting   atomic.Uint32
}

// An execution is what is reset when another begins.
type execution struct {
	strategy.Choice // what there is to choose from, kept up to date

	tasks   []*task // the first count are of this execution, by ID
	count   int
	alive   int
	current *task // whose turn it is: Choice.Current; nil is the root's
	objects objects
	timers  timers
	clock   *task // the pseudo-task that fires timers; nil unless time is racy
	events  []strategy.Event

	forced, preemptions int
	hash                uint64
	deviations          []strategy.Deviation
	beginnings          int32 // decisions before the first task began

	touched  []*object // channels on which a real operation follows the step
	spinners []*task
	spins    int

	stopping   bool // no more decisions: control goes back to the root
	abandoning bool // tasks are being unwound
	outcome    outcome
}

// New returns an engine and makes it the process's. Close must follow.
func New(o Options) (*Engine, error) {
	if !hooks.Enabled {
		return nil, ErrNotChaos
	}
	if !self.Known {
		return nil, ErrAlike
	}
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	e := &engine{maxSteps: o.MaxSteps, maxSpins: o.MaxSpins, points: o.Points, racy: o.Clock == Racy}
	if e.maxSteps == 0 {
		e.maxSteps = 1_000_000
	}
	if e.maxSpins == 0 {
		e.maxSpins = 1_000
	}
	if o.Switch == Channels || o.Switch == Fastest && raceDetector {
		e.mechanism = channels{}
	} else {
		e.mechanism = new(coroutines)
	}
	s := o.Strategy
	if s == nil {
		s = strategy.Random()
	}
	e.follow(s)
	e.faults.arm(o.Plan)
	e.root = &host{engine: e}
	if !e.mechanism.pooled() {
		e.mechanism.make(e.root)
	}
	e.control.Controller = e
	e.control.SetRunning(nobody)
	release, ok := seam.TakeControl(&e.control)
	if !ok {
		return nil, ErrInstalled
	}
	e.release = release
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	if o.Patience > 0 {
		e.watch(o.Patience)
	}
	return &Engine{e}, nil
}

// close is Close.
func (e *engine) close() {
	if e.release == nil {
		return
	}
	e.release()
	e.release = nil
	if e.watchdog != nil {
		e.watchdog.end()
	}
	e.stopping, e.abandoning = true, true
	e.mechanism.end(e.hosts)
	e.hosts, e.idle = nil, nil
}

// Close gives the hooks back and ends the engine's goroutines. It blocks until
// they have ended, and may be called several times.
func (e *Engine) Close() { e.in.close() }

// Run runs one execution: body, as the task "main", and what it starts, until all
// of that has ended or nothing can go on. It returns false, and runs nothing, if
// the strategy has explored all there is.
func (e *Engine) Run(seed uint64, body func()) (Result, bool) { return e.in.run(seed, body) }

// Repeat runs one execution of body under a schedule, whatever the engine's
// strategy and plan are. It also returns the entries of the schedule that did not
// apply: there are none if the body is what it was.
func (e *Engine) Repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	return e.in.repeat(s, body)
}

// Path returns the path of the task of the last execution that has this key, or "".
func (e *Engine) Path(key uint64) string { return e.in.path(key) }

// Go starts a task, from inside an execution: what go hooks.Task(f)() does, without
// the goroutine that has nothing left to do.
func (e *Engine) Go(f func()) { e.in.spawn(e.in.current, f) }

// Fail ends the execution under way with a verdict, from inside. The calling task
// goes on, at most to its next operation.
func (e *Engine) Fail(v verdict.Verdict, summary string) { e.in.fail(v, summary, "") }

// Choose returns a number below n, at least 1, that the strategy picks, from inside
// an execution: a choice of the subject's own, explored and recorded with the
// schedule.
func (e *Engine) Choose(n int) int {
	if e.in.abandoning {
		return 0
	}
	return e.in.pick(n)
}

// follow makes s the strategy.
func (e *engine) follow(s strategy.Strategy) {
	e.observer, _ = s.(strategy.Observer)
	e.naming = false
	if n, ok := s.(strategy.Namer); ok && n.NeedsNames() {
		e.naming = true
		if e.names == nil {
			e.names = make(map[uint64]uint64)
		}
	}
	e.strategy, e.chooser = s, s
	if raceDetector {
		e.chooser = &atRoot{Strategy: s, engine: e}
	}
}

// repeat is Repeat.
func (e *engine) repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	before, faults := e.strategy, e.faults
	defer func() { e.follow(before); e.faults = faults }()
	replay := &strategy.Replay{Schedule: s.Deviations}
	e.follow(replay)
	e.faults.repeat(s.Fires)
	result, _ := e.run(0, body)
	result.Schedule = result.Schedule.Clone()
	return result, strategy.Schedule{Deviations: replay.Unused(), Fires: e.faults.unused()}
}

// run is Run.
func (e *engine) run(seed uint64, body func()) (Result, bool) {
	s := e.strategy
	if !s.Begin(strategy.Execution{Number: e.number, Seed: seed}) {
		return Result{}, false
	}
	e.number++
	e.reset()
	e.faults.begin(seed)
	e.control.Quiet = !e.points && !e.faults.armed
	e.meeting.Add(1)
	main := e.newTask(nil, body)
	if e.racy {
		e.newClock()
	}
	if !e.mechanism.pooled() {
		e.incarnate(main)
		go main.host.serveOne()
	}
	e.root.g = self.G()
	e.setExecuting(true)
	e.loop(e.choose())
	e.setExecuting(false)
	result := e.result(seed)
	e.conclude(&result)
	return result, true
}

// choose is decide where no task is there to panic: at the beginning, and when one
// has ended. A strategy that panics ends the execution.
//
//go:norace
func (e *engine) choose() *task {
	defer e.strategyPanicked()
	return e.decide()
}

//go:norace
func (e *engine) strategyPanicked() {
	if v := recover(); v != nil {
		e.blame(v)
	}
}

// blame ends the execution because of what the strategy panicked with.
//
//go:norace
func (e *engine) blame(v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.fail(verdict.Nondeterminism, d.Error(), "")
	} else {
		e.fail(verdict.Panicked, fmt.Sprintf("strategy %s: panic: %v", e.strategy.Name(), v), string(debug.Stack()))
	}
}

// conclude tells the strategy how the execution ended. A strategy that finds that
// the same decisions led elsewhere says so by a panic.
func (e *engine) conclude(r *Result) {
	defer func() {
		v := recover()
		if d, ok := v.(*strategy.DivergenceError); ok {
			if r.Verdict == verdict.Pass {
				r.Verdict, r.Summary = verdict.Nondeterminism, d.Error()
			}
		} else if v != nil {
			panic(v)
		}
	}()
	if len(e.events) > 0 {
		e.tell()
	}
	e.strategy.End(strategy.Result{
		Steps: e.Step, Forced: e.forced, Failed: r.Verdict != verdict.Pass, Cut: e.outcome.cut, Order: r.Order,
	})
}

//go:norace
func (e *engine) setExecuting(yes bool) { e.executing = yes }

// loop gives control to the first task and serves the root's requests until the
// execution is over.
func (e *engine) loop(next *task) {
	if next != nil {
		e.hand(e.root, next)
		e.control.SetRunning(nobody)
		if r, ok := e.chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if e.alive > 0 {
		e.abandon()
	}
	e.timers.reset()
	e.meeting.Load()
}

// reset makes the execution a new one.
func (e *engine) reset() {
	x := &e.execution
	x.count, x.alive = 0, 0
	x.Choice = strategy.Choice{Enabled: x.Enabled[:0]}
	x.current, x.clock = nil, nil
	x.objects.reset()
	x.events = x.events[:0]
	x.forced, x.preemptions, x.beginnings = 0, 0, 0
	x.hash = 0
	x.deviations = x.deviations[:0]
	x.touched = x.touched[:0]
	x.spinners, x.spins = x.spinners[:0], 0
	x.stopping, x.abandoning = false, false
	x.outcome = outcome{}
}

// incarnate gives the task a host that is not pooled. The goroutine is still to be
// started.
//
//go:norace
func (e *engine) incarnate(t *task) {
	h := &host{engine: e, task: t}
	e.mechanism.make(h)
	t.host = h
}

// atRoot asks a strategy on the root's goroutine: strategies are ordinary code, in
// whose state the race detector would find races between the tasks that asked.
type atRoot struct {
	strategy.Strategy
	engine *engine

	asker  *host // that asks; nil if nobody does
	c      *strategy.Choice
	n      int // of a Pick; 0 is a Next
	answer int
}

//go:norace
func (r *atRoot) Next(c *strategy.Choice) int { return r.ask(c, 0) }

//go:norace
func (r *atRoot) Pick(c *strategy.Choice, n int) int { return r.ask(c, n) }

// ask has the root answer.
//
//go:norace
func (r *atRoot) ask(c *strategy.Choice, n int) int {
	e := r.engine
	r.c, r.n = c, n
	if e.current == nil { // this is the root
		r.now()
		return r.answer
	}
	h := e.current.host
	r.asker = h
	e.mechanism.hand(h, e.root)
	e.control.SetRunning(h.g)
	return r.answer
}

// serve answers until control comes back to the root for another reason.
func (r *atRoot) serve() {
	for r.asker != nil {
		h := r.asker
		r.asker = nil
		r.now()
		r.engine.mechanism.hand(r.engine.root, h)
		r.engine.control.SetRunning(nobody)
	}
}

// now answers.
//
//go:norace
func (r *atRoot) now() {
	defer r.diverged()
	r.engine.prepare()
	if r.n > 0 {
		r.answer = r.Strategy.Pick(r.c, r.n)
	} else {
		r.answer = r.Strategy.Next(r.c)
	}
}

// diverged catches a strategy's panic that belongs to the execution.
func (r *atRoot) diverged() {
	if v := recover(); v != nil {
		r.engine.blame(v)
		r.answer = 0
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
