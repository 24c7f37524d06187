package pool

import (
	"fmt"
	stdatomic "sync/atomic" // not the drop-in: who calls, and what is shown, is no part of a schedule

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// A Worker is the handle of the worker that runs a job. It is good only on the goroutine that got
// it and until the job returns.
type Worker struct {
	pool        *Pool
	index       int
	rng         xorshift
	forks       forks
	unwanted    int       // forks shared without a request, since the limit was last changed
	spareLoop   any       // a *loop that is over
	follows     *followed // what the newest wait for a future or a run is for
	followsJoin *joinTask // and the newest for a join
	shown       shownWait // one of them, while w is idle on top of it
	stack       []task    // those on this stack that are not over, the topmost last
	isolated    bool      // its waits run only what they wait for: see Isolated
	counts      counts    // plain; published when the worker goes idle, and at its end

	goroutine stdatomic.Uintptr // that it is at the moment, as internal/self knows it; 0: none

	_       [64]byte      // thieves write another cache line
	request atomic.Uint32 // for what the worker keeps to itself: see private.go
	_       [60]byte

	deque      deque
	broadcasts queue            // jobs that only this worker takes
	fifo       *fifo            // of GoFIFO, once it is needed
	until      *sleep.OnceLatch // set when the worker is to end

	// Of a spare.
	first    orders         // what it is to do before it waits for orders
	atRest   stdatomic.Bool // it waits for them
	early    bool           // it will, and is among the free ones already: see restEarly
	busy     bool           // it follows orders
	in       *standIn       // its place in another's stead
	serves   *job           // the job that it was last ordered to run
	next     *job           // and the one that it is to run after that
	unlisted bool           // thieves do not know of it: see list

	more   int           // how many injected jobs it may take before it searches elsewhere
	tasks  *injectedTask // to spare
	owed   int64         // references to the pool, of functions that it has run
	unpaid atomic.Int64  // owed, for others to read

	begun, startFailed bool // of its start handler: see handlers.go
	published          publishedCounts
	waiting            atomic.Uint32 // a waitReason; notWaiting while jobs run
	blocks             atomic.Bool   // inside Blocking
	latch              atomic.Pointer[sleep.CoreLatch]
	idleness           sleep.IdleState // while it looks for work
}

// A waitReason is what a worker waits for, for dumps.
type waitReason uint32

const (
	notWaiting waitReason = iota
	waitsForJobs
	waitsForJoin
	waitsForScope
	waitsForRun
	waitsForBroadcast
	waitsForFuture
	waitsForGroup
	waitsForPlace
	waitsForClose
	hasEnded
)

func (r waitReason) String() string {
	return [...]string{"", "jobs, until the pool ends", "the other half of a join", "the jobs of its scope", "its run in another pool", "its broadcast", "a future", "the jobs of a group", "a place for a job in its group", "the end of another pool", "nothing: it has ended"}[r]
}

// Index returns the worker's number in its pool, from 0.
func (w *Worker) Index() int { return w.index }

// name is the worker's as a task, and in dumps.
func (w *Worker) name() string {
	if w.pool.name == "" {
		return fmt.Sprint("worker ", w.index)
	}
	return fmt.Sprintf("worker %d of %s", w.index, w.pool.name)
}

// Pool returns the worker's pool.
func (w *Worker) Pool() *Pool { return w.pool }

// Go starts f as a job that nothing waits for, on w's own deque: it is the first that w would take,
// and the last that others steal. It does not block. A pool that is closing still runs it.
//
// If f panics, the panic handler is called; without one the process crashes.
func (w *Worker) Go(f func(w *Worker)) {
	w.check("Worker.Go")
	refuseNil(f == nil)
	w.pool.hold(1)
	w.push(newGoTask(w.pool, f, w.isolated))
}

// GoFIFO is Go, except that w begins the jobs that were started so in the order in which they were
// started. Others steal in that order anyway.
func (w *Worker) GoFIFO(f func(w *Worker)) {
	w.check("Worker.GoFIFO")
	refuseNil(f == nil)
	if w.fifo == nil {
		w.fifo = newFIFO(false)
	}
	w.pool.hold(1)
	w.fifo.queue.push(newGoTask(w.pool, f, w.isolated))
	w.push(&w.fifo.ticket.job)
}

// main is N, the body of a worker's goroutine: it runs jobs until the pool ends.
func (w *Worker) main() {
	if hooks.Enabled {
		hooks.Name(w.name())
	}
	defer w.bind()()
	w.label()
	at := refused
	if w.begun || w.isSpare() { // only New can refuse a worker
		at = working
	}
	defer func() {
		if v := recover(); v != nil {
			panic(v) // no job's and no handler's: those end at their boundary
		}
		w.leave(at)
	}()
	if !w.callStart() {
		return
	}
	at = working
	if w.isSpare() {
		w.serve()
	} else {
		w.waitUntil(&w.until.CoreLatch, waitsForJobs)
	}
	w.publish()
	w.payBack()
	w.waiting.Store(uint32(hasEnded))
	at = over
}

// start gives the worker a goroutine.
func (w *Worker) start() {
	run := w.main // a variable: the call below then is the same with and without Task
	go hooks.Task(run)()
}

// waitUntil is A: it returns when the latch is set, and runs jobs meanwhile. The latch is w's own.
func (w *Worker) waitUntil(latch *sleep.CoreLatch, reason waitReason) {
	if latch.Probe() { // A1
		return
	}
	if w.isolated {
		w.waitPrivately(latch, reason, nil)
		return
	}
	w.shareAll()         // R7
	for !latch.Probe() { // A2
		hooks.At(pointSearchLocal)
		if j := w.takeLocal(); j != nil { // A3: no traffic on the counters
			w.execute(j)
		} else if j := w.takeMore(reason); j != nil {
			w.execute(j)
		} else if j := w.idle(latch, reason); j != nil {
			w.execute(j)
		}
	}
}

// waitOut is waitUntil, also when a job that runs meanwhile calls Goexit: the stack then unwinds
// only after the latch is set.
func (w *Worker) waitOut(latch *sleep.CoreLatch, reason waitReason) {
	if latch.Probe() {
		return
	}
	defer w.waitOut(latch, reason)
	w.waitUntil(latch, reason)
}

// idle is A4 to A6: w counts as inactive until it has found a job, which it returns, or until the
// latch is set.
func (w *Worker) idle(latch *sleep.CoreLatch, reason waitReason) *job {
	w.publish()
	w.payBack()
	w.latch.Store(latch)
	w.waiting.Store(uint32(reason))
	defer w.waiting.Store(uint32(notWaiting))
	if reason != waitsForJobs {
		w.showWait(reason)
		defer w.hideWait(reason)
	}

	s := w.pool.sleep.Strategy
	s.StartLooking(w.index, &w.idleness) // A4
	for {
		hooks.At(pointIdleProbe)
		if latch.Probe() { // A5
			hooks.At(pointIdleExit)
			s.WorkFound(&w.idleness) // A6: although no work was found
			return nil
		}
		var j *job
		if w.idleness.Woken() { // likely for an injected job, and the others' deques are far away
			j = w.takeInjected()
		}
		if j == nil {
			j = w.findWork()
		}
		if j != nil {
			s.WorkFound(&w.idleness)
			return j
		}
		w.searched()
		s.NoWorkFound(&w.idleness, latch, (*finalCheck)(w))
	}
}

// takeLocal takes a job of w's own, none of which is private: the newest of its deque, else, unless
// w waits isolated, the oldest of its broadcasts.
func (w *Worker) takeLocal() *job {
	if j := w.deque.pop(); j != nil || w.isolated {
		return j
	}
	return w.broadcasts.pop()
}

// findWork is B, one search: own deque, own broadcasts, the other workers' deques, the injector. It
// finds what was there before it began and is not taken by others.
func (w *Worker) findWork() *job {
	hooks.At(pointSearchBegin)
	if j := w.takeLocal(); j != nil {
		return j
	}
	if j := w.steal(); j != nil {
		w.counts.steals++
		return j
	}
	if !hooks.Fail(pointSearchInjector) {
		if j := w.takeInjected(); j != nil {
			return j
		}
	}
	hooks.At(pointSearchEnd)
	return nil
}

// steal tries every other worker once, from a random one on, and all of them again only if it has
// found nothing and lost a race somewhere: that victim has not been asked for its private forks.
func (w *Worker) steal() *job {
	workers := w.pool.workers
	n := len(workers)
	if n == 1 && len(*w.pool.all.Load()) == 1 {
		return nil
	}
	for {
		again := false
		next := int(w.rng.next() % uint64(n))
		for range n {
			victim := workers[next]
			if next++; next == n { // a division would take longer than the look
				next = 0
			}
			if victim == w {
				continue
			}
			j, retry := victim.rob()
			if j != nil {
				return j
			}
			again = again || retry
		}
		if j := w.stealFromSpares(&again); j != nil {
			return j
		}
		if !again {
			return nil
		}
		w.counts.failedSteals++
	}
}

// stealFromSpares is the part of steal that tries spares.
func (w *Worker) stealFromSpares(again *bool) (stolen *job) {
	w.pool.listedSpares(func(victim *Worker) bool {
		if victim == w {
			return true
		}
		j, retry := victim.rob()
		stolen = j
		*again = *again || retry
		return j == nil
	})
	return stolen
}

// rob takes the oldest job of w's deque for another worker. If it has lost a race for one, retry is
// true.
func (w *Worker) rob() (j *job, retry bool) {
	if !hooks.Fail(pointSearchVictim) {
		if j, retry = w.deque.steal(); j != nil || retry {
			return j, retry
		}
	}
	w.ask() // R5
	return nil, false
}

// finalCheck is a worker as the sleep protocol sees it.
type finalCheck Worker

// HasInjectedJob is the final check (F7): jobs from outside, for all workers or for this one, and
// those of a blocking worker.
func (w *finalCheck) HasInjectedJob() bool {
	(*Worker)(w).askAll() // R5
	return !w.broadcasts.isEmpty() || !w.pool.injector.isEmpty() || w.pool.blockedHasJob()
}

// HasJobInInjector is what it asks by the letter of rayon's README.
func (w *finalCheck) HasJobInInjector() bool {
	(*Worker)(w).askAll() // R5
	return !w.pool.injector.isEmpty()
}

// push is G: it posts a job on w's own deque, and whatever w has kept to itself.
func (w *Worker) push(j *job) {
	w.counts.pushed++             // plain: a handle used by two goroutines is a data race that -race sees
	wasEmpty := w.deque.isEmpty() // G1
	hooks.At(pointPushEmptyRead)
	hooks.At(pointPushPre)
	n := w.forks.private()
	if n > 0 {
		w.publishOldest(n) // R7
	}
	w.list()
	w.deque.push(j) // G2
	hooks.At(pointPushPushed)
	w.pool.sleep.NewInternalJobs(w.index, n+1, wasEmpty) // G3
	hooks.At(pointPushPost)
}

// pushN is G for n jobs that are known together, at least one: one post wakes up to n workers.
func (w *Worker) pushN(n int, job func(i int) *job) {
	w.counts.pushed += uint64(n)
	wasEmpty := w.deque.isEmpty() // G1
	hooks.At(pointPushEmptyRead)
	hooks.At(pointPushPre)
	kept := w.forks.private()
	w.publishOldest(kept) // R7
	w.list()
	for i := range n {
		w.deque.push(job(i)) // G2
	}
	n += kept
	hooks.At(pointPushPushed)
	w.pool.sleep.NewInternalJobs(w.index, n, wasEmpty) // G3
	hooks.At(pointPushPost)
}

// inject is G' for a job that has a reference to the pool.
func (p *Pool) inject(j *job) { _ = p.post(injected{job: j}) } // not refused: it has its reference

// post is G': it posts a job from outside. A function may be refused.
func (p *Pool) post(x injected) error {
	// G1', unless the post is skipped: consumers write what it reads.
	wasEmpty := !p.sleep.SkipsPosts() && p.injector.isEmpty()
	hooks.At(pointInjectEmptyRead)
	hooks.At(pointInjectPre)
	if err := p.injector.push(p, x); err != nil { // G2': PushJob
		return err
	}
	hooks.At(pointInjectPushed)
	sleep.PushFence()
	hooks.At(pointInjectFenced)
	p.sleep.NewInjectedJobs(1, wasEmpty) // G3': ReadSleepers and what follows
	hooks.At(pointInjectPost)
	return nil
}

// injectN is inject for n jobs that are known together, at least one.
func (p *Pool) injectN(n int, job func(i int) *job) {
	wasEmpty := !p.sleep.SkipsPosts() && p.injector.isEmpty() // G1'
	hooks.At(pointInjectEmptyRead)
	hooks.At(pointInjectPre)
	for i := range n {
		_ = p.injector.push(p, injected{job: job(i)}) // G2'
	}
	hooks.At(pointInjectPushed)
	sleep.PushFence()
	hooks.At(pointInjectFenced)
	p.sleep.NewInjectedJobs(n, wasEmpty) // G3'
	hooks.At(pointInjectPost)
}

// xorshift is Marsaglia's xorshift64* generator: it only spreads thieves over their victims.
type xorshift struct{ state uint64 }

// init seeds the generator of worker i.
func (x *xorshift) init(i int) { x.state = (uint64(i) + 1) * 0x9E3779B97F4A7C15 }

func (x *xorshift) next() uint64 {
	x.state ^= x.state >> 12
	x.state ^= x.state << 25
	x.state ^= x.state >> 27
	return x.state * 0x2545F4914F6CDD1D
}
