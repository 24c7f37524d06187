package sleep

import "github.com/rouse-go/rouse/hooks/atomic"

// oneByOne is a strategy that is told of jobs singly, however many are known together.
// (RFC 5: "if we know the number of new tasks being created ahead of time".)
type oneByOne struct{ Sleep }

// WithJobsOneByOne posts each job by itself, also where several are known together.
func WithJobsOneByOne() Option { return func(c *config) { c.oneByOne = true } }

func (s oneByOne) post(seen uint64, worker, num int, queueWasEmpty bool) {
	s.Strategy.post(seen, worker, 1, queueWasEmpty)
	for range num - 1 {
		s.newJobs(worker, 1, false)
	}
}

// dummyFlag is a strategy with a flag for each worker's queue that each push writes,
// and nobody reads: what it would cost to make pushes sequentially consistent by hand. (Tickle's
// README: "we could create a dummy AtomicBool for each deque". There each steal reads it,
// which in Go would be a plain load.)
type dummyFlag struct {
	Sleep
	flags []paddedFlag
}

type paddedFlag struct {
	atomic.Bool
	_ [60]byte // keeps neighbours off this cache line
}

// WithDummyFlag writes a flag, sequentially consistent, with every job that a worker posts.
func WithDummyFlag() Option { return func(c *config) { c.dummyFlag = true } }

func newDummyFlag(s *Sleep, workers int) dummyFlag {
	return dummyFlag{*s, make([]paddedFlag, workers)}
}

func (s dummyFlag) board() board {
	b := s.at
	b.neverQuiet()
	return b
}

func (s dummyFlag) post(_ uint64, worker, num int, queueWasEmpty bool) {
	if worker != outside {
		s.flags[worker].Store(true)
	}
	s.newJobs(worker, num, queueWasEmpty)
}
