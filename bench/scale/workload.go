package scale

// A Workload is what a pool is given, all of whose workers sleep.
type Workload struct {
	Name  string
	About string // one line
	// Steady: jobs go on coming; what is burnt is looked at while they do. Otherwise, until all
	// sleep again.
	Steady bool
	// run gives the pool its work. It lasts until the last job has been posted.
	run func(s *sim, w *walker)
}

// leafTime is long: a worker that has got to a leaf stays there until all have.
const leafTime = 50 * millisecond

// Workloads returns all there are.
func Workloads() []Workload {
	return []Workload{
		{"fork", "a root that forks into two leaves for each worker, of 50 ms each", false, func(s *sim, w *walker) { forks(s, w, 2*len(s.workers), leafTime) }},
		{"burst", "a job from outside for each worker, of 50 ms, one after the other", false, func(s *sim, w *walker) { burst(s, w, len(s.workers), leafTime) }},
		{"fine", "a root that forks into 8 leaves for each worker, of 10 us each", false, func(s *sim, w *walker) { forks(s, w, 8*len(s.workers), 10*microsecond) }},
		{"trickle-10ms", "a job that is nothing, from outside, every 10 ms", true, func(s *sim, w *walker) { trickle(s, w, 20, 10*millisecond) }},
		{"trickle-100us", "a job that is nothing, from outside, every 100 us", true, func(s *sim, w *walker) { trickle(s, w, 400, 100*microsecond) }},
	}
}

// forks injects a root, which halves until there are so many leaves.
func forks(s *sim, w *walker, leaves int, d Time) {
	var tree func(w *worker, leaves int)
	tree = func(w *worker, leaves int) {
		if leaves == 1 {
			w.leaf(d)
			return
		}
		w.fork(func(w *worker) { tree(w, leaves-leaves/2) }, func(w *worker) { tree(w, leaves/2) })
	}
	s.quick = true // who enters the pool waits
	s.inject(w, s.newJob(nil, func(w *worker) { tree(w, leaves) }))
}

// burst injects so many jobs, as fast as it can.
func burst(s *sim, w *walker, jobs int, d Time) {
	for range jobs {
		s.inject(w, s.newJob(nil, func(w *worker) { w.leaf(d) }))
	}
}

// trickle injects jobs, that far apart in the mean, and counts from when a tenth of them has been posted.
func trickle(s *sim, w *walker, jobs int, every Time) {
	s.quick = true
	for i := range jobs + jobs/10 {
		if i == jobs/10 {
			s.reset()
		}
		next := s.now + every/2 + Time(s.random.Int64N(int64(every)))
		s.inject(w, s.newJob(nil, func(*worker) {}))
		w.actor.until(next)
	}
}
