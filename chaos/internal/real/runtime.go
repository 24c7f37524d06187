package real

import (
	"math"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Runtime is a mechanism whose tasks are goroutines of a subject that knows nothing of an engine:
// the Go runtime itself, patched by the build overlay of package goroot so that of a group of
// goroutines one runs at a time. It runs real operations on real mutexes, channels and timers; the
// engine only chooses which one continues.
//
// Tasks are numbered from 0, the body of an execution, in the order of their creation. The goroutine
// that calls Run is the root: it is not a task, and runs while no task does.
type Runtime interface {
	// Run runs one execution: o.Body as task 0, and every goroutine that a task starts. It calls s,
	// on the goroutine of the running task or on the root, and returns on the root once s.Next has
	// returned None. The tasks that are left stay as they are until Reap.
	Run(s Scheduler, o Start)
	// Current returns the number of the task that calls it, or None if the caller is not a task
	// of the execution in progress.
	Current() int32
	// Call calls f as Run calls the Scheduler: operations of f are not points, and the race
	// detector attributes them to the root. The caller is a task.
	Call(f func())

	// Now returns the virtual time, in nanoseconds since the execution began. Each time that a task
	// asks for the time it moves by a nanosecond.
	Now() int64
	// NextTimer returns when the next timer fires, or false if none is pending.
	NextTimer() (at int64, pending bool)
	// NextKind returns the kind of the next timer.
	NextKind() (kind uint8)
	// OnlySleeps reports whether each pending timer ends a sleep of a task, and no task has a time other
	// than the execution's, as in a bubble of testing/synctest.
	OnlySleeps() bool
	// Fire moves the time to the next timer and fires it, on the stack of the caller: a task in
	// Scheduler.Point, or the root. Timers of one time fire in an order that Start.Seed decides. The
	// tasks that this wakes are reported before it returns; so are those of Await.
	Fire()
	// FireOutside moves the time, on the root, to the next of the timers that goroutines outside wait for and that
	// are due by until, or to the last of them, and fires what is due. It reports whether there is one.
	FireOutside(until int64, last bool) bool
	// Skip moves the time by ns, if no timer is due until then.
	Skip(ns int64)
	// Looks counts how often tasks have asked for the time, LooksOf how often one has, or has looked at the
	// channel of a timer, and Armed the timers that they have armed and how often they have slept, in this
	// execution.
	Looks() int
	LooksOf(task int32) int
	Armed() (timers, sleeps int)
	// Chance counts the random draws of tasks, including the order of a map of more than one entry, and how often
	// they have looked at the other goroutines, or got what is in a sync.Pool, in this execution.
	Chance() (draws, dumps int)
	// TimerPolls counts how often tasks have looked at the channel of a timer, which need not be pending
	// for that.
	TimerPolls() int

	// Await blocks the root until something outside has woken a task, at most for that long in real
	// time (nanoseconds), and reports whether something has.
	Await(ns int64) bool
	// Entangled counts how often a task has woken a goroutine outside, which could wake a task in
	// turn, in all executions so far.
	Entangled() int
	// Others lets goroutines outside run that can, and takes what the network has brought. The machine may have
	// one processor, and tasks that pass points are not preempted.
	Others()
	// Busy reports, on the root, whether something outside may be about to wake a task, whatever time it
	// has had: a goroutine outside runs, or could if the machine let it.
	Busy() bool
	// Awaited reports, on the root, whether a goroutine outside that a task has woken has yet to come back to
	// where it waits for another: it runs, or is in a system call. It may be about to wake a task.
	Awaited() bool
	// Idle reports, to a task, whether nothing outside goes on by itself: goroutines outside wait for others, no timer is
	// pending that they have armed, and no child process runs.
	Idle() bool
	// Children counts the child processes that tasks have started and not waited for.
	Children() int
	// Lived adds to the real time, in nanoseconds, that child processes have had, and returns how much more they may
	// have: until a timer would have fired if time had passed for it since it was armed, or since time jumped last.
	Lived(ns int64) (left int64)
	// State returns a hash of what the task that calls it can use next: its local variables, and what
	// they point to, nearby. Equal states may differ in global variables and in what is farther away.
	State() uint64
	// Whole returns a hash of all that tasks can use: their local variables, package-level variables, and all that
	// these point to, if that takes no more time than so many words. left is how many more words there could have
	// been: 0 if there are too many, or if it is not known what tasks can use.
	Whole(most int) (hash uint64, left int)
	// Stack writes the program counters of the stack of a task, current or not, innermost first,
	// and returns how many. It is called on the root or on the task itself.
	Stack(task int32, pcs []uintptr) int
	// Fired returns what Scheduler.Arms has returned for the timer that has fired last; 0 if that is unknown.
	Fired() (place int32)
	// Selected returns which case the last select of a task has taken, by the address of its channel, and how many cases
	// of its direction are before it in the source. channel is 0 if none was taken, or if that is unknown.
	Selected(task int32) (channel uintptr, sends bool, nth int)
	// Unreachable reports, by a garbage collection, which of the tasks cannot be woken by anything that
	// can still run. They have parked, or stopped before a lock: locks has its address, 0 for a task that
	// has parked, and Never for one that is known to wait for ever.
	Unreachable(tasks []int32, locks []uintptr) []bool
	// Coroutine returns which task has made the i-th coroutine (iter.Pull) of those that wait to be
	// continued and are not tasks meanwhile, and the program counters of the stack on which it did, up to
	// the first 0. ok is false if there are fewer. It is called on the root.
	Coroutine(i int) (maker int32, pcs []uintptr, ok bool)
	// Reap ends the tasks that are left, without running their deferred calls. It returns why the
	// process should run no more executions: for example a task that held a lock of the runtime,
	// or that could not be ended; "" if there is no reason.
	Reap() (tainted string)
	// Interrupt makes a task that computes without passing a point stop at its next preemption, and
	// the Runtime then call Scheduler.Interrupted. Any goroutine may call it.
	Interrupt()
	// Stop makes that task, which is not the one that calls it, stop for a debugger when it continues: by
	// a breakpoint on its own goroutine.
	Stop(task int32)
	// Real returns the time of a real clock, in nanoseconds.
	Real() int64
}

// Kinds of timers, as Runtime.NextKind returns them.
const (
	OneShot       uint8 = iota
	Periodic            // it has a period, or was armed where one of about that duration had fired
	Sleeping            // it ends a sleep
	PeriodicSleep       // it ends a sleep, and one of about that duration had ended there
	OfTest              // a file of tests has armed it, by a function of package time
	OfContext           // likewise by one of package context
)

// None stands for no task.
const None int32 = -1

// Never stands for the lock of a task that waits for ever: see Runtime.Unreachable.
const Never uintptr = 1

// A Start holds the parameters of an execution.
type Start struct {
	Body func()
	// Seed determines what the subject draws: math/rand, maps, the order of timers.
	Seed uint64
	// After: Scheduler.After is to be called.
	After bool
	// Asides: so is Scheduler.Aside.
	Asides bool
	// Traces: so are Scheduler.Pooled and Scheduler.Arms, which decide nothing.
	Traces bool
}

// A Scheduler is called by a Runtime. No two of its methods run at the same time. Those that return a
// task return which one continues, or None if the root does, and calls Next.
//
// What has happened since the last call is reported, in its order, before anything is asked: by
// Started, Woken, and Failed. (All types are basic ones: the runtime, which can import nothing, has an
// interface of its own that is identical.)
type Scheduler interface {
	// Started reports a new task, which can continue at once: it has the next number. parent is the
	// task that started it; for a timer's function, the task that armed the timer; None if unknown.
	// pc is that of the go statement.
	Started(parent int32, pc uintptr)
	// Woken reports that a task which had parked can continue. by is the task whose step woke it,
	// None for a timer, or Outside.
	Woken(task, by int32)
	// Failed reports that the operation that the running task announced last has done no more than
	// read: a compare-and-swap that failed, an attempt that got nothing.
	Failed()

	// Point is called before an operation of the running task that others could see. It must wait
	// while *word&busy is not 0, unless word is nil: then it need not wait, or parks for real.
	// x is the address of its object, nil if it has none.
	// kind is a strategy.Kind. Before a system call, and After that, it is called on the root.
	Point(kind uint8, x unsafe.Pointer, word *int32, busy int32) (next int32)
	// Select is Point for a select on those channels, the first of which are those that it sends to; nil
	// ones are left out. poll: it has a default.
	Select(channels []unsafe.Pointer, sends int, poll bool) (next int32)
	// After is called directly after an operation that others can see.
	After() (next int32)
	// Pick chooses one of n outcomes of the running task's operation.
	Pick(n int) int

	// Aside reports an operation of the running task that others could see and that is not a point. x is the address
	// of its object, or another number for it; it is unused for a system call, and 0 if its order matters whatever
	// others do. tasks counts those that have been started. With kind Begin it reports that the task begins while
	// the task that started it waits, until the new one ends or reports kind Yield.
	Aside(kind uint8, x uintptr, tasks int32)

	// Pooled reports that the running task puts an item into a sync.Pool, or gets it; 0 if the pool has none.
	Pooled(pool unsafe.Pointer, item uintptr, put bool)
	// Arms is called before the running task arms a timer. place is for Runtime.Fired.
	Arms() (place int32)

	// Collect is called before the running task's call of runtime.GC collects, and when it has: what
	// only the Scheduler refers to is freed.
	Collect(done bool)
	// Barred returns the i-th of the tasks that have stopped before a lock which is not free, the address
	// of the lock's word, and whether the task is to lock it for reading; None if there are fewer.
	Barred(i int) (task int32, lock uintptr, reads bool)

	// Parked reports, on the root, that the running task waits, for the reason that a traceback
	// gives: "chan receive". external: only something outside of the execution can wake it.
	Parked(reason string, external bool)
	// Ended reports, on the root, that the running task has ended.
	Ended()
	// Panicked reports, on the running task, a panic that nothing recovers, or a fatal error. The
	// task does not continue.
	Panicked(value any, fatal bool, stack []byte)
	// Interrupted reports, on the root, that the running task has been interrupted, somewhere (see
	// Runtime.Interrupt). Next lets it continue, or ends the execution.
	Interrupted()
	// Next returns, on the root, which task continues. None ends the execution.
	Next() (next int32)
}

// Outside stands for a waker of a task that is not a task: a goroutine, or the network poller.
const Outside int32 = -2

// Options are core.Options, and those of control.Options that only this front end has.
type Options struct {
	core.Options
	Runtime    Runtime
	Own        []string
	AllowLeaks bool
}

// New returns an engine whose tasks a Runtime holds.
func New(o Options) *core.Engine {
	s := &Tasks{runtime: o.Runtime, planned: len(o.Plan.Faults) > 0, allowLeaks: o.AllowLeaks, own: symbolsOf(o.Own)}
	s.SetUp(o.Options, s)
	s.MaxSpins = math.MaxInt
	s.Engine.Looks, s.Forces, s.StaysFree, s.ClockAside, s.RunsLong = true, true, true, true, true
	s.StartWatchdog()
	return &s.Engine
}

// Run runs the execution that has begun.
func (s *Tasks) Run(body func()) {
	s.began = s.runtime.Real()
	s.SetExecuting(true)
	s.runtime.Run(s, Start{Body: body, Seed: s.Seed, After: s.Control.Publishing, Asides: s.observesAsides(), Traces: s.Traces()})
	s.SetExecuting(false)
	s.FlushEvents()
	s.numberPools()
	s.armed, s.slept = s.runtime.Armed()
	s.recordLeft()
	if s.tainted == "" && s.Outcome.Verdict == verdict.Panicked {
		s.tainted = "a panic has ended an execution"
	}
	if why := s.runtime.Reap(); why != "" {
		s.tainted = why
	}
}

func (s *Tasks) Inside() (yes, reported bool) { return s.runtime.Current() != None, false }

func (s *Tasks) ChooseOutcome(n int) (i int) {
	s.runtime.Call(func() {
		s.settle(s.Running())
		i = s.pickOutcome(n)
		if s.Tracing {
			s.TraceChoose(i)
		}
	})
	return i
}

func (s *Tasks) pickOutcome(n int) int {
	if s.Stopping {
		return 0
	}
	defer s.RecoverStrategy()
	return s.PickAmong(n)
}
