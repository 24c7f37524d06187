package pool

// A fifo turns the order of a deque around, as rayon's JobFifo does: its jobs wait in a queue, and
// for each of them a ticket goes to some deque or to the injector. The worker that takes a ticket
// runs the job that is then the first.
//
// A worker that waits isolated takes the jobs themselves, wherever their tickets are; a ticket that
// comes too late has no effect. Nothing waits for those tickets, so each holds a reference to the
// pool, which would otherwise end with tickets in its queues.
type fifo struct {
	queue  queue
	ticket ticket // one for all jobs
	pool   *Pool  // to which each ticket holds a reference; nil: the waiter waits for the tickets, too
	share  queue  // the waiter's shares of broadcasts: jobs for it alone
}

// newFIFO makes a fifo whose jobs run isolated, or not.
func newFIFO(isolated bool) *fifo {
	f := new(fifo)
	f.ticket.fifo = f
	f.ticket.task = &f.ticket
	f.ticket.isolated = isolated
	return f
}

// hold takes the references of n tickets that are about to be posted.
func (f *fifo) hold(n int) {
	if f.pool != nil {
		f.pool.hold(n)
	}
}

// again is the ticket for each of any number of jobs.
func (f *fifo) again(int) *job { return &f.ticket.job }

// pop takes the first job for the worker that waits for all of them; nil if there is none, or no
// fifo.
func (f *fifo) pop() *job {
	if f == nil {
		return nil
	}
	if j := f.share.pop(); j != nil {
		return j
	}
	return f.queue.pop()
}

// HasInjectedJob is what that worker asks before it blocks.
func (f *fifo) HasInjectedJob() bool {
	return f != nil && !(f.share.isEmpty() && f.queue.isEmpty())
}

type ticket struct {
	job
	fifo *fifo
}

func (t *ticket) run(w *Worker) {
	w.counts.jobs-- // a ticket is not a job
	if j := t.fifo.queue.pop(); j != nil {
		w.execute(j)
	}
}

func (t *ticket) finish(*Worker, outcome) {
	if t.fifo.pool != nil {
		t.fifo.pool.release()
	}
}
