package pool

// YieldNow runs one job, if there is one: w's own, else a stolen or an injected one. It reports
// whether it has. A job that waits for something outside the pool can call it in a loop. The job
// that it runs is on top of the caller, on the same goroutine, and may take long; a yield in each
// of many jobs may pile them up.
//
// Within Isolated it does nothing.
func (w *Worker) YieldNow() bool { return w.yield("Worker.YieldNow", (*Worker).findWork) }

// YieldLocal is YieldNow for w's own jobs only: its deque, and its broadcasts.
func (w *Worker) YieldLocal() bool { return w.yield("Worker.YieldLocal", (*Worker).takeLocal) }

func (w *Worker) yield(entry string, take func(*Worker) *job) bool {
	w.check(entry)
	if w.isolated {
		return false
	}
	w.shareAll() // R7
	j := take(w)
	if j == nil {
		return false
	}
	w.execute(j)
	return true
}

// HasPendingTasks reports whether w has jobs of its own waiting, in its deque or among its
// broadcasts: by the time it returns, others may have stolen them.
func (w *Worker) HasPendingTasks() bool {
	return w.forks.private() > 0 || !w.deque.isEmpty() || !w.broadcasts.isEmpty()
}
