package soak

import (
	"fmt"
	"sync/atomic"
)

// The defects that a ledger and the checks around it find.
const (
	Lost         = "lost"         // accepted, and never run
	Twice        = "run twice"    // or more often
	RanDropped   = "ran dropped"  // the pool had reported that its context dropped it
	RanRefused   = "ran refused"  // the pool had returned an error
	WrongResult  = "wrong result" // or an error, or a panic, that should not be
	WrongCounter = "wrong counter"
	Hang         = "hang"
	Leak         = "goroutine leak"
	Memory       = "memory growth"
)

// A Defect is a violation that the run found.
type Defect struct {
	What   string // Lost ...
	Kind   string
	Batch  int
	Detail string
}

func (d Defect) String() string {
	if d.Kind == "" {
		return d.What + ": " + d.Detail
	}
	return fmt.Sprintf("%s: %s, batch %d: %s", d.What, d.Kind, d.Batch, d.Detail)
}

// An Account counts the outcomes of the jobs of a batch or of a kind.
type Account struct {
	Batches  int
	Ran      int // Panicked and Exited among them
	Dropped  int // by a context, as the pool reported
	Refused  int // by ErrClosed or ErrFull
	Panicked int // and their panics were caught once
	Exited   int // by runtime.Goexit
}

// Jobs returns the number of jobs in the account.
func (a Account) Jobs() int { return a.Ran + a.Dropped + a.Refused }

func (a *Account) add(b Account) {
	a.Batches += b.Batches
	a.Ran += b.Ran
	a.Dropped += b.Dropped
	a.Refused += b.Refused
	a.Panicked += b.Panicked
	a.Exited += b.Exited
}

// Outcomes of a job that the pool reported; a job without one was accepted.
const (
	accepted = iota
	dropped
	refused
)

// A ledger counts how often each job of a batch ran.
type ledger struct {
	ran []atomic.Uint32
	// What the pool reported of each job. The goroutine that started the job writes it.
	reported []uint8
}

func newLedger(jobs int) *ledger {
	return &ledger{ran: make([]atomic.Uint32, jobs), reported: make([]uint8, jobs)}
}

// run notes that job i runs, and returns whether it is the first time.
func (l *ledger) run(i int) bool { return l.ran[i].Add(1) == 1 }

// marks returns how many times jobs have been run so far.
func (l *ledger) marks() (n int) {
	for i := range l.ran {
		n += int(l.ran[i].Load())
	}
	return n
}

// missing returns the first few jobs that have not run, and the number of all of them.
func (l *ledger) missing() (first []int, n int) {
	for i := range l.ran {
		if l.ran[i].Load() > 0 {
			continue
		}
		if n++; len(first) < 8 {
			first = append(first, i)
		}
	}
	return first, n
}

// settle accounts for every job. It must be called when nothing of the batch runs any more.
func (l *ledger) settle(defect func(what, format string, args ...any)) (a Account) {
	for i := range l.ran {
		n := l.ran[i].Load()
		switch l.reported[i] {
		case dropped:
			a.Dropped++
			if n > 0 {
				defect(RanDropped, "job %d ran %d times", i, n)
			}
		case refused:
			a.Refused++
			if n > 0 {
				defect(RanRefused, "job %d ran %d times", i, n)
			}
		default:
			a.Ran++
			switch {
			case n == 0:
				defect(Lost, "job %d never ran", i)
			case n > 1:
				defect(Twice, "job %d ran %d times", i, n)
			}
		}
	}
	return a
}
