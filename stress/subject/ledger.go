package subject

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/verdict"
)

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
