package queues

import "sync"

// A Stack keeps jobs for workers.
type Stack struct {
	mu       sync.Mutex
	nonEmpty *sync.Cond
	jobs     []string
}

func NewStack() *Stack {
	s := &Stack{}
	s.nonEmpty = sync.NewCond(&s.mu)
	return s
}

// Push adds jobs.
func (s *Stack) Push(jobs ...string) {
	s.mu.Lock()
	s.jobs = append(s.jobs, jobs...)
	s.mu.Unlock()
	if len(jobs) == 1 {
		s.nonEmpty.Signal()
	} else {
		s.nonEmpty.Broadcast()
	}
}

// Pop takes the newest job, and waits for one.
func (s *Stack) Pop() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wait()
	job := s.jobs[len(s.jobs)-1]
	s.jobs = s.jobs[:len(s.jobs)-1]
	return job
}
