package real_test

import (
	"math"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// fake is a Runtime whose tasks are goroutines that call its methods at their points. Each waits for its
// turn on a channel of its own.
type fake struct {
	s       control.Scheduler
	tasks   []*fakeTask
	running int32
	root    chan struct{}
	left    func() // what to report to the engine on the root
	now     int64
	timers  []fakeTimer
	kind    uint8 // of all of them; control.OneShot but for those that have a period
	slept   int
	armed   int
	looks   int
	draws   int
	dumps   int
	after   bool

	state       func() uint64
	whole       func() (uint64, bool) // nil is state
	unreachable func(tasks []int32) []bool
	interrupted chan struct{}
	stopped     []int32 // tasks that Stop was called with

	entangled, children int
	lived, jumped       int64   // what children have, and had when time jumped last
	coroutines          []int32 // that are left, by the tasks that made them
	await               func(ns int64) bool
	busy, awaited       func() bool
	others              func()
	real                func() int64
}

type fakeTask struct {
	turn chan struct{}
	dead bool // it ends when it gets its turn
}

// A fakeTimer wakes the task, or fires again and again if it has a period.
type fakeTimer struct {
	at     int64
	task   int32
	period int64
	lived  int64 // of the fake, when it was armed
}

func (f *fake) Run(s control.Scheduler, o control.Start) {
	f.s, f.running, f.root, f.tasks, f.now, f.timers, f.slept, f.armed, f.looks, f.draws, f.dumps = s, control.None, make(chan struct{}), nil, 0, nil, 0, 0, 0, 0, 0
	f.lived, f.jumped, f.after = 0, 0, o.After
	f.start(control.None, o.Body)
	for {
		next := s.Next()
		if next == control.None {
			return
		}
		f.running, f.left = next, nil
		f.tasks[next].turn <- struct{}{}
		<-f.root
		f.running = control.None
		if f.left != nil {
			f.left()
		}
	}
}

// start starts a task.
func (f *fake) start(parent int32, body func()) {
	t := &fakeTask{turn: make(chan struct{})}
	f.tasks = append(f.tasks, t)
	f.s.Started(parent, 0)
	root := f.root
	go func() {
		t.await()
		defer func() {
			if !t.dead {
				f.left = f.s.Ended
				root <- struct{}{}
			}
		}()
		body()
	}()
}

// Go starts a task of the running one.
func (f *fake) Go(body func()) { f.start(f.running, body) }

func (t *fakeTask) await() {
	if <-t.turn; t.dead {
		runtime.Goexit()
	}
}

// proceed gives the turn from the running task to next, and returns when that has it again.
func (f *fake) proceed(next int32) {
	if next == f.running {
		return
	}
	me := f.tasks[f.running]
	if next == control.None {
		f.root <- struct{}{}
	} else {
		f.running = next
		f.tasks[next].turn <- struct{}{}
	}
	me.await()
}

func (f *fake) point(kind strategy.Kind, x unsafe.Pointer) {
	f.proceed(f.s.Point(uint8(kind), x, nil, 0))
}

func (f *fake) load(x *int32) int32 {
	f.point(strategy.Load, unsafe.Pointer(x))
	return *x
}

func (f *fake) store(x *int32, v int32) {
	f.point(strategy.Store, unsafe.Pointer(x))
	*x = v
}

func (f *fake) lock(x *int32) {
	f.proceed(f.s.Point(uint8(strategy.Lock), unsafe.Pointer(x), x, 1))
	if *x != 0 {
		panic("a task was chosen that cannot lock")
	}
	*x = 1
}

func (f *fake) unlock(x *int32) {
	f.point(strategy.Unlock, unsafe.Pointer(x))
	*x = 0
	if f.after {
		f.proceed(f.s.After())
	}
}

// park waits until another task calls wake.
func (f *fake) park(reason string) {
	f.left = func() { f.s.Parked(reason, false) }
	f.proceed(control.None)
}

func (f *fake) wake(task int32) { f.s.Woken(task, f.running) }

func (f *fake) sleep(d time.Duration) {
	f.point(strategy.Sleep, nil)
	f.slept++
	f.startTimer(fakeTimer{at: f.now + int64(d), task: f.running})
	f.park("sleep")
}

func (f *fake) startTimer(t fakeTimer) {
	t.lived = f.lived
	f.timers = append(f.timers, t)
	slices.SortFunc(f.timers, func(a, b fakeTimer) int { return int(a.at - b.at) })
}

func (f *fake) Current() int32 { return f.running }
func (f *fake) Call(do func()) { do() }
func (f *fake) Now() int64     { return f.now }

func (f *fake) NextTimer() (int64, bool) {
	if len(f.timers) == 0 {
		return 0, false
	}
	return f.timers[0].at, true
}

func (f *fake) NextKind() uint8 {
	if f.kind == control.OneShot && f.timers[0].period > 0 {
		return control.Periodic
	}
	return f.kind
}

func (f *fake) OnlySleeps() bool {
	return !slices.ContainsFunc(f.timers, func(t fakeTimer) bool { return t.period > 0 })
}

func (f *fake) Fire() {
	t := f.timers[0]
	f.timers, f.jumped = f.timers[1:], f.lived
	f.now = max(f.now, t.at)
	if t.period > 0 {
		f.startTimer(fakeTimer{at: f.now + t.period, period: t.period})
		return
	}
	f.s.Woken(t.task, control.None)
}

func (f *fake) Skip(ns int64)     { f.now += ns }
func (f *fake) Looks() int        { return f.looks }
func (f *fake) LooksOf(int32) int { return f.looks }

// aside is what a task does without a point.
func (f *fake) aside(kind strategy.Kind, x *int32) {
	f.s.Aside(uint8(kind), uintptr(unsafe.Pointer(x)), int32(len(f.tasks)))
}

func (f *fake) Chance() (int, int) { return f.draws, f.dumps }
func (f *fake) Armed() (int, int)  { return f.armed, f.slept }
func (f *fake) TimerPolls() int    { return 0 }
func (f *fake) Entangled() int     { return f.entangled }
func (f *fake) Idle() bool         { return f.busy == nil || !f.busy() }
func (f *fake) Children() int      { return f.children }

func (f *fake) Lived(ns int64) int64 {
	f.lived += ns
	left := int64(math.MaxInt64)
	for _, t := range f.timers {
		left = min(left, t.at-f.now-f.lived+max(t.lived, f.jumped))
	}
	return left
}

func (f *fake) Await(ns int64) bool {
	if f.await == nil {
		return false
	}
	return f.await(ns)
}

func (f *fake) Others() {
	if f.others != nil {
		f.others()
	}
}

func (f *fake) FireOutside(int64, bool) bool { return false }
func (f *fake) Busy() bool                   { return f.busy != nil && f.busy() }

func (f *fake) Awaited() bool { return f.awaited != nil && f.awaited() }

func (f *fake) Real() int64 {
	if f.real != nil {
		return f.real()
	}
	return time.Now().UnixNano()
}

func (f *fake) Stop(task int32) { f.stopped = append(f.stopped, task) }

func (f *fake) Interrupt() {
	select {
	case f.interrupted <- struct{}{}:
	default: // it has been interrupted
	}
}

func (f *fake) State() uint64 {
	if f.state == nil {
		return 0
	}
	return f.state()
}

func (f *fake) Whole(most int) (whole uint64, left int) {
	if f.whole == nil {
		return f.State(), most
	}
	if whole, known := f.whole(); known {
		return whole, most
	}
	return 0, 0
}

func (f *fake) Fired() (place int32) { return 0 }

func (f *fake) Selected(int32) (channel uintptr, sends bool, nth int) { return 0, false, 0 }

func (f *fake) Stack(int32, []uintptr) int { return 0 }

func (f *fake) Unreachable(tasks []int32, _ []uintptr) []bool {
	if f.unreachable == nil {
		return make([]bool, len(tasks))
	}
	return f.unreachable(tasks)
}

func (f *fake) Coroutine(i int) (maker int32, pcs []uintptr, ok bool) {
	if i >= len(f.coroutines) {
		return control.None, nil, false
	}
	return f.coroutines[i], nil, true
}

func (f *fake) Reap() string {
	for _, t := range f.tasks {
		t.dead = true
		close(t.turn)
	}
	return ""
}

func newFake(t *testing.T, o control.Options) (*fake, *control.Engine) {
	t.Helper()
	f := &fake{interrupted: make(chan struct{}, 1)}
	o.Runtime = f
	e, err := control.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return f, e
}
