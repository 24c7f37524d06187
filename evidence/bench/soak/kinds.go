package soak

// A Kind is a way to use the pool.
type Kind struct {
	Name  string
	Share float64 // of all jobs, in percent, if all kinds are chosen
	Size  int     // jobs of a batch
	What  string  // describes the batch, and what counts as a job
	sums  bool    // the pool waits for every job, and the results of all are compared: defects are planted here
	run   func(b *batch)
}

// Kinds returns all kinds. The shares give each kind an appropriate part of the time: a fork
// takes some ten nanoseconds, a Goexit some microseconds.
func Kinds() []*Kind {
	return []*Kind{
		{Name: "join-fn", Share: 20, Size: 1 << 15, run: joinFn, sums: true,
			What: "a tree of Fn.Join, whose leaves are the jobs"},
		{Name: "join-free", Share: 10, Size: 1 << 15, run: joinFree, sums: true,
			What: "a tree of the function Join"},
		{Name: "join-closures", Share: 10, Size: 1 << 15, run: joinClosures, sums: true,
			What: "a tree of Worker.Join and JoinContext"},
		{Name: "scope", Share: 13, Size: 1 << 13, run: scopes,
			What: "Scope, ScopeFIFO, InPlaceScope, and ScopeContext whose context ends; jobs start jobs"},
		{Name: "go", Share: 20, Size: 1 << 15, run: goes,
			What: "Pool.Go and GoN by 8 producers, Worker.Go, GoN and GoFIFO by their jobs"},
		{Name: "loops", Share: 12, Size: 1 << 14, run: loops,
			What: "For, ForRange, ForEach, ForEachSeq, Map, Fold: whose elements are the jobs; Filter, Reduce, Find, Sort of the results"},
		{Name: "submit", Share: 6, Size: 1 << 11, run: submits,
			What: "Submit by 4 goroutines, with contexts that are cancelled meanwhile; Spawn and Await"},
		{Name: "lifecycle", Share: 4, Size: 1 << 10, run: lifecycle,
			What: "a pool is opened, and closed while producers send: by two goroutines, or by a job of another pool"},
		{Name: "cross", Share: 1.5, Size: 1 << 9, run: cross,
			What: "16 goroutines run a job that runs one in another pool, which runs one back"},
		{Name: "cross-bounded", Share: 1, Size: 1 << 9, run: crossBounded,
			What: "32 goroutines do so into a pool with WithMaxInjected (1, 2, 8 or 64), besides Go, GoContext, TryGo and Submit"},
		{Name: "groups", Share: 1, Size: 1 << 10, run: groups,
			What: "Group.Go, TryGo and Results by 8 goroutines, outside, in jobs and isolated: with limits, and jobs that block, fail, panic, or heed the context"},
		{Name: "broadcast", Share: 0.7, Size: 1 << 8, run: broadcasts,
			What: "Pool.Broadcast, GoBroadcast, Scope.GoBroadcast, Worker.Broadcast into another pool: a job for each worker"},
		{Name: "panic", Share: 0.4, Size: 1 << 8, run: panics,
			What: "jobs panic in Go, Join, Scope and Submit; each panic is caught once"},
		{Name: "goexit", Share: 0.2, Size: 1 << 7, run: goexits,
			What: "jobs call runtime.Goexit in Go, Submit and Scope"},
		{Name: "blocking", Share: 0.2, Size: 1 << 7, run: blockings,
			What: "Worker.Blocking, until another job of the pool has run; 4 at a time"},
	}
}
