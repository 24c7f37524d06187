package stress

import (
	"math/rand/v2"

	"github.com/rouse-go/rouse/hooks/time"
)

// An Execution is one run of a workload of a Target. Its methods may be called from any
// of the execution's goroutines.
type Execution struct {
	x      *execution
	params []Param
	crew   crew
}

// Seed is the execution's: the same in each of its repetitions.
func (e *Execution) Seed() uint64 { return e.x.seed }

// Controlled reports whether one task runs at a time, and time is virtual.
func (e *Execution) Controlled() bool { return e.x.controlled }

// Rand returns a generator of its own for the part of the workload that has that name:
// what one part draws depends on no other. It is for one goroutine.
func (e *Execution) Rand(part string) *rand.Rand { return e.x.rand(part) }

// Pause sleeps for a random time from 0 to most, so that others come to rest. Under
// control it does nothing: all that others can do in between is explored anyway.
func (e *Execution) Pause(r *rand.Rand, most time.Duration) {
	if most > 0 && !e.x.controlled {
		time.Sleep(time.Duration(r.Int64N(int64(most) + 1)))
	}
}

// Go runs f on a goroutine of that name, which is what plans and reports call it.
func (e *Execution) Go(name string, f func()) { e.crew.start(name, f) }

// Wait returns when all that Go has started has ended. The oracles wait for that in any
// case.
func (e *Execution) Wait() { e.crew.Wait() }

// Convict says that something is wrong. Of all that is said in an execution the gravest
// becomes its verdict, and the others explain it.
func (e *Execution) Convict(v Verdict, format string, args ...any) { e.x.convict(v, format, args...) }

// A Job is something that has to be done exactly once by the end of the execution.
type Job struct{ entry *entry }

// Done says that it has been done. It orders nobody.
func (j Job) Done() { j.entry.ran() }

// Jobs enters n jobs of the poster with that name. One that was done twice or never is
// convicted as DuplicateTask or LostTask.
func (e *Execution) Jobs(poster string, n int) []Job {
	entries := e.x.jobs.open(poster, n)
	jobs := make([]Job, n)
	for i := range entries {
		jobs[i].entry = &entries[i]
	}
	return jobs
}
