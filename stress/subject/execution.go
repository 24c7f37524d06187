package subject

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	hookssync "github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// An Execution is one run of a workload. Its methods may be called from any goroutine of the
// execution.
type Execution struct {
	Values
	seed     uint64
	workload *Workload
	crew     Crew
	started  atomic.Bool // a goroutine is in crew, or was
	jobs     ledger
	look     atomic.Pointer[look] // nil until New has returned

	mu       sync.Mutex // never held over an operation of package hooks
	findings []Finding
}

// A look holds the functions that inspect a subject that is stuck or has ended.
type look struct {
	state       func() string
	diagnose    func(Stuck) *Diagnosis
	judgeFaults func(fired []Fired)
}

// A Finding is a failure that an oracle has found.
type Finding struct {
	Verdict verdict.Verdict
	Summary string
}

// Execution makes an execution of the workload. Run runs it; each is run once.
func (w *Workload) Execution(v Values, seed uint64) *Execution {
	return &Execution{Values: v, seed: seed, workload: w}
}

// Run runs the workload, and after it the oracles, in the calling goroutine, whose task it names
// "workload". A panic of the workload is a finding.
func (x *Execution) Run() {
	defer func() {
		if v := recover(); v != nil {
			if hooks.Unwinding(v) {
				panic(v)
			}
			x.Fail(verdict.OfPanic(fmt.Sprint(v)), "the workload panicked: %v\n%s", v, debug.Stack())
		}
	}()
	hooks.Name("workload")
	x.workload.run(x)
}

// Findings returns the findings of an execution that has ended, in the order in which they were
// reported; jobs that were lost or done twice come last.
func (x *Execution) Findings() []Finding {
	x.mu.Lock()
	defer x.mu.Unlock()
	if f, ok := x.jobs.audit(); ok {
		return append(x.findings[:len(x.findings):len(x.findings)], f)
	}
	return x.findings
}

// State returns the subject's dump, or "" before there is a subject. It may be called at any time.
func (x *Execution) State() string {
	if l := x.look.Load(); l != nil {
		return l.state()
	}
	return ""
}

// Diagnose adds the jobs that have not been done to s, and asks the subject why it is stuck. It returns nil
// if the subject does not know. It may be called at any time.
func (x *Execution) Diagnose(s Stuck) *Diagnosis {
	l := x.look.Load()
	if l == nil {
		return nil
	}
	s.Unrun, s.Lost = x.jobs.unrun()
	return l.diagnose(s)
}

// JudgeFaults has the subject judge an execution that has ended by the faults that fired in it.
func (x *Execution) JudgeFaults(fired []Fired) {
	if l := x.look.Load(); l != nil {
		l.judgeFaults(fired)
	}
}

// Seed returns the execution's seed: the same in each of its repetitions.
func (x *Execution) Seed() uint64 { return x.seed }

// Rand returns a generator for the named part of the workload: the numbers of one
// part do not depend on another. It is for one goroutine.
func (x *Execution) Rand(part string) *rand.Rand {
	return rand.New(rand.NewPCG(x.seed, Seed(x.seed, part, 0)))
}

// Seed hashes a seed, a name and a number: the same on every machine and in every version. The seed
// of execution n of a scenario is the hash of the campaign's seed, the scenario's name and n, so
// that executions do not depend on the order and the process in which they are run.
func Seed(seed uint64, name string, n int) uint64 {
	h := mix(seed ^ 0x9e3779b97f4a7c15)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3 // FNV-1a
	}
	return mix(mix(h) + bits.RotateLeft64(uint64(n), 32) + 0x9e3779b97f4a7c15)
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of x reaches every bit of
// the result.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Pause sleeps for a random time from 0 to most, so that others come to rest. Under control it
// does nothing: the strategy tries the operations of others in between anyway.
func (x *Execution) Pause(r *rand.Rand, most time.Duration) {
	if most > 0 && !x.Controlled() {
		time.Sleep(time.Duration(r.Int64N(int64(most) + 1)))
	}
}

// Go runs f on a goroutine with a name, which plans and reports use.
func (x *Execution) Go(name string, f func()) {
	x.started.Store(true)
	x.crew.Start(name, f)
}

// Wait returns when all goroutines started with Go have ended. The oracles wait for that in any case.
func (x *Execution) Wait() {
	if x.started.Load() {
		x.crew.Wait()
	}
}

// A Crew is a set of goroutines that a workload waits for.
type Crew struct{ hookssync.WaitGroup }

// Start runs f on a goroutine with a name.
func (c *Crew) Start(name string, f func()) {
	c.Add(1)
	task := hooks.Task(func() {
		defer c.Done()
		if hooks.Enabled {
			hooks.Name(name)
		}
		f()
	})
	go task()
}

// Fail reports a failure, and returns. The gravest verdict that is reported in an execution
// becomes its verdict, and the other reports explain it.
func (x *Execution) Fail(v verdict.Verdict, format string, args ...any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.findings) < maxFindings { // a broken counter is seen by each job
		x.findings = append(x.findings, Finding{v, fmt.Sprintf(format, args...)})
	}
}

// maxFindings is the maximum number of findings kept for one execution.
const maxFindings = 100

// A Job is something that must be done exactly once by the end of the execution.
type Job struct{ entry *entry }

// Done counts the job as done. It orders no two goroutines.
func (j Job) Done() { j.entry.runs.Add(1) }

// Runs returns how often the job has been done so far.
func (j Job) Runs() int { return int(j.entry.runs.Load()) }

// Name returns the poster's name and the number of the job: "putter 0, job 17".
func (j Job) Name() string { return j.entry.name }

// Jobs enters n jobs of the named poster. A job that is done twice or never is reported as
// DuplicateTask or LostTask.
func (x *Execution) Jobs(poster string, n int) []Job {
	entries := x.jobs.open(poster, n)
	jobs := make([]Job, n)
	for i := range entries {
		jobs[i].entry = &entries[i]
	}
	return jobs
}

// A ledger records every job that a workload has posted and how often each ran: the oracle
// of exactly-once.
type ledger struct {
	mu     sync.Mutex
	blocks [][]entry
}

// An entry is one job. Its counter is its own, so that counting orders no two
// jobs.
type entry struct {
	name string // the poster's, with the job's number: "injector 0, job 17"
	runs atomic.Int32
}

// open enters n jobs that the poster will post. Each of them must
// run exactly once by the end of the execution.
func (l *ledger) open(poster string, n int) []entry {
	block := make([]entry, n)
	for i := range block {
		block[i].name = fmt.Sprintf("%s, job %d", poster, i)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blocks = append(l.blocks, block)
	return block
}

// audit checks the jobs of an execution that has ended, and reports whether any failed.
// The finding names the first such job in order of entry.
func (l *ledger) audit() (Finding, bool) {
	jobs, lost, twice := 0, 0, 0
	var first *entry
	l.each(func(e *entry) {
		jobs++
		n := e.runs.Load()
		if n == 0 {
			lost++
		}
		if n > 1 {
			twice++
		}
		if n != 1 && first == nil {
			first = e
		}
	})
	switch {
	case twice > 0 && first.runs.Load() > 1:
		return Finding{verdict.DuplicateTask, fmt.Sprintf("%s ran %d times (%d of %d jobs ran more than once)", first.name, first.runs.Load(), twice, jobs)}, true
	case lost > 0:
		return Finding{verdict.LostTask, fmt.Sprintf("%s never ran, though everything has ended (%d of %d jobs never ran, %d more than once)", first.name, lost, jobs, twice)}, true
	}
	return Finding{}, false
}

// unrun returns the names of the first few jobs that have not run,
// and the number of all of them.
func (l *ledger) unrun() (names []string, n int) {
	l.each(func(e *entry) {
		if e.runs.Load() == 0 {
			if n++; len(names) < 3 {
				names = append(names, e.name)
			}
		}
	})
	return names, n
}

func (l *ledger) each(f func(e *entry)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.blocks {
		for i := range b {
			f(&b[i])
		}
	}
}
