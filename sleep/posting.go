package sleep

import "github.com/rouse-go/rouse/hooks/atomic"

// oneByOne posts each job by itself, even if several are known together. (RFC 5: "if we know the
// number of new tasks being created ahead of time".)
type oneByOne struct{ Sleep }

func (s oneByOne) post(seen uint64, worker, num int, queueWasEmpty bool) {
	s.Strategy.post(seen, worker, 1, queueWasEmpty)
	for range num - 1 {
		s.newJobs(worker, 1, false)
	}
}

// dummyFlag writes a flag of the worker with every job that a worker posts: it measures what it
// would cost to make pushes sequentially consistent by hand. (Tickle's README: "we could create a
// dummy AtomicBool for each deque". There each steal reads it, in Go a plain load.)
type dummyFlag struct {
	Sleep
	flags []paddedFlag
}

type paddedFlag struct {
	atomic.Bool
	_ [60]byte // its own cache line
}

func newDummyFlag(s *Sleep, workers int) dummyFlag {
	return dummyFlag{*s, make([]paddedFlag, workers)}
}

func (s dummyFlag) postFilter() postFilter {
	f := s.filter
	f.passAll()
	return f
}

func (s dummyFlag) post(_ uint64, worker, num int, queueWasEmpty bool) {
	if worker != outside {
		s.flags[worker%len(s.flags)].Store(true) // a spare writes another's
	}
	s.newJobs(worker, num, queueWasEmpty)
}
