package gopools

// A Kind is a way to start jobs.
type Kind struct {
	Name string
	// New starts a pool. A kind without workers uses as many
	// goroutines as there are jobs.
	New func(workers int) (Pool, error)
}

// A Pool runs jobs. Any number of goroutines may start jobs at the same time.
type Pool interface {
	// Go starts f, and does not wait for it; it may wait for room.
	Go(f func())
	// Flood starts n nearly empty jobs, each by its own call, in the cheapest way
	// for this pool: nothing is captured.
	Flood(n int)
	// Wait blocks until all jobs are done, and ends the pool. No job may be started after it.
	Wait()
}

// Kinds returns all kinds, rouse first and then the plain language. A new one is
// one line here.
func Kinds() []Kind {
	return []Kind{
		{"rouse", newRouse},
		{"channel(1024)", newChannel},
		{"goroutine + WaitGroup", newGoroutine},
		{"errgroup", newErrgroup},
		{"ants", newAnts},
		{"pond", newPond},
		{"conc", newConc},
		{"workerpool", newWorkerpool},
		{"gopool", newGopool},
	}
}

// Libraries returns the names of the kinds that are a library's pool: neither rouse nor
// the plain language.
func Libraries() []string { return []string{"ants", "pond", "conc", "workerpool", "gopool"} }

// empty is the job of Flood. Tests count its calls.
var empty = func() {}
