package pool

import (
	"context"
	"fmt"
	"slices"
	stdatomic "sync/atomic" // not the drop-in: who calls is no part of a schedule

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/self"
	"github.com/rouse-go/rouse/pool/internal/contexts"
	"github.com/rouse-go/rouse/sleep"
)

// A Group is a set of jobs that return errors. Its methods are those of
// golang.org/x/sync/errgroup, and code for that runs with this package's name and one more
// parameter. What differs: jobs run on a pool's workers, a panic is panicked again in Wait, and
// neither Wait nor Go at the limit ever blocks a worker.
//
// No more jobs run at a time than there are workers. So jobs that wait for each other by channels
// or locks, such as the stages of a pipeline, deadlock if the workers are too few: call
// SetBlocking(true) first.
//
// The zero Group runs its jobs on Default(), has no limit, and cancels nothing. [WithContext] makes
// one that cancels a context, [Pool.Group] one that runs on a pool of one's own. Groups may be
// nested, in one pool or in several.
//
// All methods may be called by any goroutine at any time, except that SetLimit and SetBlocking want
// a group without active jobs. They find out by themselves which worker calls them. Where
// goroutines cannot be told apart (WebAssembly, compilers other than gc) a job must wait with
// w.Wait(g), and start no more jobs than the limit allows. A Group must not be copied after first
// use.
//
// A group can be used again after Wait has returned. Its first error stays, and each later Wait
// returns it, as errgroup's does.
type Group struct {
	own      *Pool // nil: Default()
	cancel   context.CancelCauseFunc
	gate     *gate // for as many as the limit; nil: there is none
	limit    int
	blocking bool

	pool atomic.Pointer[Pool] // that they run in; set where active leaves 0
	last stdatomic.Pointer[Worker]

	_      [64]byte     // each job writes another cache line
	active atomic.Int64 // jobs started and not over; while there are any, the group has a reference to pool
	_      [56]byte

	first    atomic.Pointer[error]
	panicked atomic.Pointer[PanicError]

	mu       sync.Mutex // held where active leaves 0, and for what follows
	waiters  []setter
	isolated *fifo     // the jobs that isolated jobs have started
	private  []*Worker // that wait isolated, and so take jobs from there only
}

// WithContext returns a new group on Default(), and a context made from ctx that is cancelled when
// a job first fails, or when Wait first returns. context.Cause then returns the job's error; a
// *PanicError if the job panicked, ErrGoexit if it called runtime.Goexit.
func WithContext(ctx context.Context) (*Group, context.Context) { return newGroup(ctx, nil) }

// Group is WithContext for a group whose jobs run in p.
func (p *Pool) Group(ctx context.Context) (*Group, context.Context) {
	if p == nil {
		panic(ErrNoPool)
	}
	return newGroup(ctx, p)
}

func newGroup(ctx context.Context, p *Pool) (*Group, context.Context) {
	ctx, cancel := contexts.WithCancelCause(ctx)
	return &Group{own: p, cancel: cancel}, ctx
}

// Go starts f as a job of the group: in a job of the same pool on that worker's own deque, as
// Worker.Go does, otherwise through the injector. The first job that returns an error, panics or
// calls runtime.Goexit cancels the group's context. Jobs that have not begun then run all the same,
// as in errgroup; one that need not looks at the context first.
//
// With a limit (SetLimit), and as many jobs active, f waits for one of them to end, first come,
// first served. Go then blocks the calling goroutine until f has its place. A worker runs other
// jobs meanwhile. Its wait ends early, with f still waiting for its place, where it could keep the
// active jobs from ending: in a job of the group itself, or within Isolated, at once; and on top of
// other jobs, when there is nothing left to run.
//
// If the pool is closed, f does not run, and the group fails with ErrClosed; jobs of that pool can
// still start others. WithMaxInjected does not bound groups.
//
// Cost: about that of Worker.Go.
func (g *Group) Go(f func(w *Worker) error) {
	refuseNil(f == nil)
	if err := g.start(g.caller(), f); err != nil {
		g.fail(err)
	}
}

// start is Go by w, or by an outsider. It returns an error if the pool is closed.
func (g *Group) start(w *Worker, f func(w *Worker) error) error {
	if err := g.enter(w); err != nil {
		return err
	}
	t := g.newTask(w, f)
	if g.gate == nil {
		g.post(w, &t.job)
	} else {
		g.goLimited(w, t)
	}
	return nil
}

// TryGo starts f as Go does, unless as many jobs are active as the limit allows, or the pool is
// closed. It reports whether it has started f, and never waits.
func (g *Group) TryGo(f func(w *Worker) error) bool {
	refuseNil(f == nil)
	if !g.gate.try(1) {
		return false
	}
	w := g.caller()
	if err := g.enter(w); err != nil {
		g.leave(w, nil)
		return false
	}
	g.post(w, &g.newTask(w, f).job)
	return true
}

// SetLimit sets how many jobs may be active at a time: started by Go or TryGo and not over yet.
// With 0, Go never starts one; a negative n means no limit. It panics if jobs are active.
func (g *Group) SetLimit(n int) {
	g.mustRest("SetLimit(%d)", n)
	g.gate, g.limit = nil, n
	if n >= 0 {
		g.gate = &gate{room: n}
	}
}

// SetBlocking says whether the group's jobs may block for long: in system calls, on channels, on
// locks. Each then runs on a spare worker, which takes no worker's place, as within
// Worker.Blocking. How many run at once is bounded by the limit of the group, and by the number of
// spares (WithSpares): without a spare a job waits for a worker, and blocks that
// (Stats.SparesMissing). It panics if jobs are active.
//
// A group whose jobs wait for each other, other than by a group, future or join of the pool, needs
// it, and as many spares as jobs.
//
// Jobs that only compute belong on the workers: spares that compute compete with them for
// processors. Cost: about that of a goroutine, whose stack is kept for the next job.
func (g *Group) SetBlocking(blocking bool) {
	g.mustRest("SetBlocking(%t)", blocking)
	g.blocking = blocking
}

// mustRest panics if jobs are active, which may use what the caller is about to change.
func (g *Group) mustRest(entry string, argument any) {
	if n := g.active.Load(); n != 0 {
		panic(fmt.Errorf("pool: Group."+entry+" while jobs are active (%d): want it before the first Go, or after Wait", argument, n))
	}
}

// Wait returns when no job of the group is active, with the first error that one has returned. It
// panics with a *PanicError, the first that happened, if one has panicked; the panic is lost if
// nothing waits. If one has called runtime.Goexit before any has failed, the error is ErrGoexit.
//
// An outsider is blocked. A worker runs other jobs meanwhile, of whatever pool the group is: a
// parent may wait for its child in a pool of one. In a job of the group, or on top of one, Wait
// returns a *DeadlockError at once. If the worker itself runs a job that calls runtime.Goexit,
// every job on this stack ends, the caller's, too.
func (g *Group) Wait() error {
	if w := g.caller(); w != nil {
		return g.await(w, "Group.Wait")
	}
	if latch := new(sleep.LockLatch); g.active.Load() != 0 && g.add(latch) {
		latch.Wait()
	}
	return g.result()
}

// caller is the worker that calls, nil if none does. It knows the first of them at once.
func (g *Group) caller() *Worker {
	if !self.Known {
		return nil
	}
	if w := g.last.Load(); w != nil && w.goroutine.Load() == self.G() && execution == nil {
		return w
	}
	w, _ := caller()
	if w != nil && g.last.Load() == nil {
		g.last.Store(w)
	}
	return w
}

// enter counts a job that w, or an outsider, is about to start. The first takes a reference to the
// pool.
func (g *Group) enter(w *Worker) error {
	for n := g.active.Load(); n > 0; n = g.active.Load() {
		if g.active.CompareAndSwap(n, n+1) {
			return nil
		}
	}
	p := g.own
	if p == nil {
		p = Default()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for n := g.active.Load(); n > 0; n = g.active.Load() { // others have been faster
		if g.active.CompareAndSwap(n, n+1) {
			return nil
		}
	}
	if w != nil && w.pool == p {
		p.hold(1)
	} else if err := p.enter(); err != nil {
		return err
	}
	g.pool.Store(p)
	g.active.Store(1)
	return nil
}

// post puts a job where w or others will find it.
func (g *Group) post(w *Worker, j *job) {
	p := g.pool.Load()
	if j.isolated {
		q := g.isolatedJobs()
		q.hold(1)
		q.queue.push(j)
		j = &q.ticket.job
	} else if g.blocking && p.goBlocking(j) {
		return
	}
	if w != nil && w.pool == p {
		w.push(j)
	} else {
		p.inject(j)
	}
	if j.isolated { // they may sleep where no post wakes them
		g.mu.Lock()
		private := g.private
		g.mu.Unlock()
		for _, w := range private {
			p.sleep.NotifyLatchSet(w.index)
		}
	}
}

// isolatedJobs is where a worker that waits isolated for the group finds jobs.
func (g *Group) isolatedJobs() *fifo {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.pool.Load()
	if g.isolated == nil || g.isolated.pool != p {
		g.isolated = newFIFO(true)
		g.isolated.pool = p
	}
	return g.isolated
}

// goLimited starts a job as soon as the limit allows, and waits for that as long as is safe. What
// waits for a place is the job, not its caller: that may be suspended beneath the next one.
func (g *Group) goLimited(w *Worker, t *groupTask) {
	if w == nil {
		var latch *sleep.LockLatch
		if g.gate.enterLater(&t.job, func() setter {
			latch = new(sleep.LockLatch)
			return latch
		}) {
			g.post(nil, &t.job)
		} else {
			latch.Wait()
		}
		return
	}
	var latch *sleep.SpinLatch
	switch {
	case g.gate.enterLater(&t.job, func() setter {
		latch = new(sleep.SpinLatch)
		latch.Init(&w.pool.sleep, w.index)
		return latch
	}):
		g.post(w, &t.job)
	case w.isolated || g.beneath(w) >= 0:
	case w.isBuried():
		for !latch.Probe() && w.yield("Group.Go", (*Worker).findWork) {
		}
	default:
		w.waitOut(&latch.CoreLatch, waitsForPlace)
	}
}

// leave gives a place back, and starts the job that has waited longest for one. ended is the job
// that had the place, if it has run.
func (g *Group) leave(w *Worker, ended *job) {
	var spare *Worker // that has run it, and was asked for that
	if ended != nil && w.serves == ended {
		spare = w
	}
	if g.gate == nil {
		spare.restEarly()
		return
	}
	switch j := g.gate.leave(spare); {
	case j == nil:
	case spare != nil && !j.isolated:
		w.next = j
	default:
		g.post(w, j)
	}
}

// beneath returns the index of a job of the group on w's stack, and -1 if there is none.
func (g *Group) beneath(w *Worker) int {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if t, ok := w.stack[i].(*groupTask); ok && t.group == g {
			return i
		}
	}
	return -1
}

// isBuried reports whether the job that w runs is on top of another one. A scope's body belongs to
// the job that has made the scope, a ticket to the job that it was for.
func (w *Worker) isBuried() bool {
	jobs := 0
	for _, t := range w.stack {
		switch t.(type) {
		case *scopeBody, *ticket:
		default:
			jobs++
		}
	}
	return jobs > 1
}

// await is Wait by w.
func (g *Group) await(w *Worker, entry string) error {
	if g.active.Load() == 0 {
		return g.result()
	}
	if i := g.beneath(w); i >= 0 {
		return w.deadlock(entry, i, isInGroup)
	}
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	if g.add(latch) {
		g.waitOn(w, latch)
	}
	return g.result()
}

// waitOn returns when the latch is set, which jobs of the group bring about. It is w's.
func (g *Group) waitOn(w *Worker, latch *sleep.SpinLatch) {
	if !w.isolated || w.pool != g.pool.Load() {
		w.waitOut(&latch.CoreLatch, waitsForGroup)
		return
	}
	q := g.isolatedJobs()
	g.waitsPrivately(w)
	defer g.waitedPrivately(w)
	w.waitOutPrivately(&latch.CoreLatch, waitsForGroup, q)
	for w.deque.popOnly(&q.ticket.job) { // tickets that were not used
		w.pool.release()
	}
}

// waitsPrivately notes that w is about to look for isolated jobs, and then to sleep until it is
// notified of one. The list is replaced, never changed.
func (g *Group) waitsPrivately(w *Worker) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.private = append(slices.Clone(g.private), w)
}

// waitedPrivately ends that.
func (g *Group) waitedPrivately(w *Worker) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.private, w)
	g.private = slices.Delete(slices.Clone(g.private), i, i+1)
}

// add adds the latch of a waiter, unless no job is active: then it reports false.
func (g *Group) add(s setter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.active.Load() == 0 {
		return false
	}
	g.waiters = append(g.waiters, s)
	return true
}

// done ends what enter has begun.
func (g *Group) done() {
	p := g.pool.Load()
	if g.active.Add(-1) != 0 {
		return
	}
	var waiters []setter
	g.mu.Lock()
	if g.active.Load() == 0 { // or they wait for what has been started since
		waiters, g.waiters = g.waiters, nil
	}
	g.mu.Unlock()
	for _, s := range waiters {
		s.Set()
	}
	p.release()
}

// fail notes why a job failed, and cancels, if it is the first.
func (g *Group) fail(err error) {
	if g.first.CompareAndSwap(nil, &err) && g.cancel != nil {
		g.cancel(err)
	}
}

// result is what Wait returns, or panics with, when no job is active.
func (g *Group) result() error {
	var err error
	if first := g.first.Load(); first != nil {
		err = *first
	}
	if g.cancel != nil {
		g.cancel(err)
	}
	if e := g.panicked.Load(); e != nil {
		panic(e)
	}
	return err
}

// eachWaiter calls f with each worker that waits for the group.
func (g *Group) eachWaiter(f func(owner sleep.Waker, worker int, isolated bool)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	eachOwner(g.waiters, f)
}

// A groupTask is a job of a group.
type groupTask struct {
	job
	group *Group
	f     func(w *Worker) error
}

// newTask makes a job that w starts, or an outsider.
func (g *Group) newTask(w *Worker, f func(w *Worker) error) *groupTask {
	t := &groupTask{group: g, f: f}
	t.task = t
	t.isolated = w != nil && w.isolated
	return t
}

func (t *groupTask) run(w *Worker) {
	f := t.f
	t.f = nil
	var err error
	if t.group.blocking && !w.blocks.Load() {
		w.Blocking(func() { err = f(w) })
	} else {
		err = f(w)
	}
	if err != nil {
		t.group.fail(err)
	}
}

func (t *groupTask) finish(w *Worker, o outcome) {
	g := t.group
	if o.panicked != nil {
		g.panicked.CompareAndSwap(nil, o.panicked)
		g.fail(o.panicked)
	}
	if o.goexit {
		g.fail(ErrGoexit)
	}
	g.leave(w, &t.job)
	g.done()
}
