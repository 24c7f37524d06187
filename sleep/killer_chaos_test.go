//go:build chaos

package sleep

import (
	"errors"
	"flag"
	"fmt"
	"os"
	std "sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

var killing = kill.Flags(flag.CommandLine)

// What `stress mutants` runs around each mutant. Without its flags: this package, as
// it ships, survives.
func TestKill(t *testing.T) {
	kill.Programs{
		"protocol":   killer{workers: 2, jobs: 2, jec: 1}.program,
		"lock-latch": lockLatch,
		"spin-latch": spinLatch,
	}.Test(t, killing, os.Stdout,
		"protocol meet=2",
		"protocol jobs=3 meet=2 jec=2",
		"protocol jobs=1 leaver",
		"protocol internal meet=2 jec=8",
		"protocol audits=2",
		"protocol tickle workers=1 jobs=1",
		"protocol tickle meet=2",
		"protocol tickle jobs=1 leaver",
		"protocol tickle internal meet=2",
		"lock-latch",
		"spin-latch",
	)
}

// A killer is the protocol with a use that mutants don't survive: a toy queue,
// workers that are sleepy at once, an injector. It is the model of TestProtocolExhausted
// with as few operations as will do, and with oracles.
type killer struct {
	workers, jobs int
	meet          int    // the last so many jobs wait for each other
	jec           int    // bits
	leaver        bool   // worker 0's latch is set once, at some time; then it is gone
	internal      bool   // the first job, which is injected, posts the others
	variant       string // "": the default
	audits        int    // how often a task compares the counters with the sleepers
}

// A killerRun is one execution of it.
type killerRun struct {
	killer
	*Sleep
	engine    *control.Engine
	queue     atomic.Int64 // jobs that were injected
	deque     atomic.Int64 // jobs that a worker has posted: the final check does not see them
	begun     std.Int64    // jobs; not the drop-in: this is the oracle's, and no step of the subject
	met, done sync.WaitGroup
	latches   []SpinLatch
}

// program reads the words of a killer.
func (k killer) program(words string) (kill.Program, error) {
	bools := map[string]*bool{"leaver": &k.leaver, "internal": &k.internal}
	for _, v := range Variants()[1:] {
		bools[v.Name] = new(bool)
	}
	err := kill.Words(words,
		map[string]*int{"workers": &k.workers, "jobs": &k.jobs, "meet": &k.meet, "jec": &k.jec, "audits": &k.audits},
		bools)
	for _, v := range Variants()[1:] {
		if *bools[v.Name] {
			k.variant = v.Name
		}
	}
	switch {
	case err != nil:
		return kill.Program{}, err
	case k.meet > k.workers || k.meet > k.jobs || k.leaver && k.meet == k.workers:
		return kill.Program{}, fmt.Errorf("%d jobs are to meet, want as many as there are jobs, and workers that stay, or fewer", k.meet)
	case k.internal && k.jobs < 1:
		return kill.Program{}, errors.New("no job to post the others, want one or more")
	}
	if _, err := k.new(); err != nil {
		return kill.Program{}, err
	}
	if k.audits > 0 && k.variant != "" {
		return kill.Program{}, errors.New("audits are of JEC's counters")
	}
	var r *killerRun
	return kill.Program{
		Body:  func(e *control.Engine) { r = k.start(e); r.inject(); r.stop() },
		After: func() (verdict.Verdict, string) { return r.left() },
	}, nil
}

func (k killer) new() (*Sleep, error) {
	return New(k.workers, atOnce(k.variant, k.jec)...)
}

// allMeet: each worker has one of the last jobs. Then all of them are awake, and
// need no latch to know that it is over.
func (k killer) allMeet() bool { return k.meet == k.workers }

func (k killer) start(e *control.Engine) *killerRun {
	s, err := k.new()
	if err != nil {
		panic(err)
	}
	r := &killerRun{killer: k, Sleep: s, engine: e, latches: make([]SpinLatch, k.workers)}
	for i := range r.latches {
		r.latches[i].Init(s, i)
	}
	e.OnStuck(r.judge)
	r.met.Add(k.meet)
	r.done.Add(k.jobs)
	for i := range k.workers {
		go hooks.Task(func() { r.work(i) })()
	}
	if k.leaver {
		go hooks.Task(r.latches[0].Set)()
	}
	if k.audits > 0 {
		go hooks.Task(func() {
			for range r.audits {
				r.audit()
			}
		})()
	}
	return r
}

func (r *killerRun) inject() {
	jobs := r.jobs
	if r.internal {
		jobs = 1
	}
	for range jobs {
		wasEmpty := r.queue.Add(1) == 1
		r.NewInjectedJobs(1, wasEmpty)
	}
}

// stop ends the workers when all jobs are done.
func (r *killerRun) stop() {
	if r.allMeet() {
		return
	}
	r.done.Wait()
	for i := range r.latches {
		if i > 0 || !r.leaver {
			r.latches[i].Set()
		}
	}
}

func (r *killerRun) HasInjectedJob() bool { return r.queue.Load() > 0 }

// over reports whether a worker's time is up. Where its latch is never set it need
// not look at that.
func (r *killerRun) over(latch *CoreLatch) bool {
	if r.allMeet() {
		return int(r.begun.Load()) == r.jobs
	}
	return latch.Probe()
}

func (r *killerRun) work(i int) {
	latch := &r.latches[i].CoreLatch
	for !r.over(latch) {
		if r.search(i, latch) {
			if s := stateOf(latch); s == Sleepy || s == Sleeping {
				r.engine.Fail(verdict.Invariant, fmt.Sprintf("worker %d runs a job, and its latch says %s", i, s))
			}
			r.run(i)
		}
	}
}

func (r *killerRun) search(i int, latch *CoreLatch) bool {
	var idle IdleState
	r.StartLooking(i, &idle)
	defer r.WorkFound(&idle)
	for r.allMeet() || !latch.Probe() {
		if r.internal && takeOne(&r.deque) || takeOne(&r.queue) {
			return true
		}
		r.NoWorkFound(&idle, latch, r)
	}
	return false
}

func (r *killerRun) run(worker int) {
	defer r.JobDone()
	n := int(r.begun.Add(1))
	if n == 1 && r.internal {
		for range r.jobs - 1 {
			wasEmpty := r.deque.Add(1) == 1
			r.NewInternalJobs(worker, 1, wasEmpty)
		}
	}
	if !r.allMeet() {
		r.done.Done()
	}
	if n > r.jobs-r.meet {
		r.met.Done()
		r.met.Wait()
	}
}

// jec is the strategy, if no word of the program says otherwise.
func (r *killerRun) jec() *jec { return r.Strategy.(*jec) }

// stateOf and word read without a step.
func stateOf(l *CoreLatch) LatchState { return LatchState((*std.Uint32)(&l.state).Load()) }
func (r *killerRun) word() Counters {
	c := &r.jec().counters
	return c.unpack(word((*std.Uint64)(&c.value).Load()))
}

// audit takes all sleep locks: with all held it sees every worker between its
// steps, and each that is blocked holds one unit of the sleeping counter, and
// no other does.
func (r *killerRun) audit() {
	blocked, parkers := 0, r.jec().parkers
	for i := range parkers {
		parkers[i].mu.Lock()
	}
	for i := range parkers {
		if !parkers[i].blocked {
			continue
		}
		blocked++
		if s := stateOf(&r.latches[i].CoreLatch); s != Sleeping && s != Set {
			r.engine.Fail(verdict.Invariant, fmt.Sprintf("worker %d is blocked, and its latch says %s", i, s))
		}
	}
	if c := r.word(); c.Sleeping != blocked || c.Sleeping > c.Inactive || c.Inactive > r.workers {
		r.engine.Fail(verdict.Invariant, fmt.Sprintf("%d workers are blocked; the counters say %d sleeping, %d inactive", blocked, c.Sleeping, c.Inactive))
	}
	for i := range parkers {
		parkers[i].mu.Unlock()
	}
}

// judge says what an execution that is stuck is about, if workers sleep.
func (r *killerRun) judge(stuck control.Result) (verdict.Verdict, string) {
	asleep := ""
	for i := range r.workers {
		if r.Parker(i).Asleep {
			asleep += fmt.Sprint(" worker ", i)
		}
	}
	switch injected, posted := r.queue.Load(), r.deque.Load(); {
	case asleep == "":
	case injected > 0:
		return verdict.LostWakeup, fmt.Sprintf("jobs wait in the injector: %d; asleep:%s", injected, asleep)
	case posted > 0:
		return verdict.LostParallelism, fmt.Sprintf("jobs wait that a worker has posted: %d; asleep:%s", posted, asleep)
	case stuck.Verdict == verdict.Leak && !r.allMeet(): // then the first task has stopped all workers
		return verdict.LostWakeup, "all latches have been set; asleep:" + asleep
	}
	return "", ""
}

// left looks at the counters when all workers have left.
func (r *killerRun) left() (verdict.Verdict, string) {
	if c := r.Counters(); c.Sleeping != 0 || c.Inactive != 0 {
		return verdict.Invariant, fmt.Sprintf("all workers have left; the counters say %d sleeping, %d inactive", c.Sleeping, c.Inactive)
	}
	return verdict.Pass, ""
}

// lockLatch is an outsider that waits for a LockLatch.
func lockLatch(words string) (kill.Program, error) {
	if words != "" {
		return kill.Program{}, errors.New("lock-latch takes no words")
	}
	return kill.Program{Body: func(*control.Engine) {
		l := new(LockLatch)
		go hooks.Task(l.Set)()
		l.Wait()
	}}, nil
}

// spinLatch is a worker that lets its latch go as soon as it is set, and makes it
// useless: as good as freed. A post may wake it before the setter does.
func spinLatch(words string) (kill.Program, error) {
	if words != "" {
		return kill.Program{}, errors.New("spin-latch takes no words")
	}
	return kill.Program{Points: true, Body: func(*control.Engine) {
		s, err := New(1, WithRoundsUntilSleepy(0))
		if err != nil {
			panic(err)
		}
		l := new(SpinLatch)
		l.Init(s, 0)
		go hooks.Task(l.Set)()
		go hooks.Task(func() { s.NewInjectedJobs(1, true) })()
		var idle IdleState
		s.StartLooking(0, &idle)
		for !l.Probe() {
			s.NoWorkFound(&idle, &l.CoreLatch, noJobs)
		}
		s.WorkFound(&idle)
		l.owner, l.worker = nil, -1
	}}, nil
}

// The positive controls of the oracles, without a mutant: faults of a plan, a counter
// that is too narrow, and corrupted counters and latches.
func TestKillersSee(t *testing.T) {
	fault := func(at string, kind hooks.FaultKind) plan.Plan {
		return plan.Plan{Faults: []plan.Fault{{At: at, Kind: kind}}}
	}
	two := killer{workers: 2, jobs: 2, jec: 1}
	for name, c := range map[string]struct {
		killer
		plan   plan.Plan
		meddle func(r *killerRun)
		want   verdict.Verdict
	}{
		"a notification dropped":         {two, fault("sleep/wake-notify", hooks.Drops), nil, verdict.LostWakeup},
		"a latch's notification dropped": {two, fault("sleep/latch-set-notify", hooks.Drops), nil, verdict.LostWakeup},
		"roll-over, no final check":      {killer{workers: 2, jobs: 2, jec: 1, meet: 2}, fault("sleep/final-check-post", hooks.Fails), nil, verdict.LostWakeup},
		"roll-over, internal jobs":       {killer{workers: 3, jobs: 3, jec: 1, meet: 3, internal: true}, plan.Plan{}, nil, verdict.LostParallelism},
		"a unit too many, audited":       {two, plan.Plan{}, func(r *killerRun) { r.jec().counters.value.Add(uint64(oneSleeping)); r.audit() }, verdict.Invariant},
		"a worker too many, in the end":  {two, plan.Plan{}, func(r *killerRun) { r.jec().counters.addInactive() }, verdict.Invariant},
		"a job run by a sleeper":         {two, plan.Plan{}, func(r *killerRun) { r.latches[0].state.Store(uint32(Sleeping)) }, verdict.Invariant},
	} {
		e := controlled(t, strategy.PCT(5), c.plan)
		v, n := verdict.Pass, 0
		for ; v == verdict.Pass && n < 100_000; n++ {
			var run *killerRun
			x, _ := e.Run(strategy.ChildKey(1, n), func() {
				run = c.start(e)
				if c.meddle != nil {
					c.meddle(run)
				}
				run.inject()
				run.stop()
			})
			if v = x.Verdict; v == verdict.Pass {
				v, _ = run.left()
			}
		}
		e.Close()
		if v != c.want {
			t.Errorf("%s: %s in execution %d, want %s", name, v, n, c.want)
		} else {
			t.Logf("%s: %s in execution %d", name, v, n)
		}
	}
}
