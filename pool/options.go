package pool

import "github.com/rouse-go/rouse/sleep"

// An Option changes a parameter of New.
type Option func(*config)

type config struct {
	sleep         []sleep.Option
	panicHandler  func(*PanicError)
	dequeCapacity int
	keeping       keeping // of private jobs
	spares        *int    // nil: the default
	maxInjected   *int    // nil: no bound
	startHandler  func(w *Worker) error
	exitHandler   func(w *Worker)
	name          string
}

// WithPanicHandler sets what is called, on the worker, with the panic of a job that nothing waits
// for. Without a handler such a panic crashes the process. The handler must neither panic nor call
// runtime.Goexit (t.FailNow does): both crash the process, with the job's panic.
func WithPanicHandler(handler func(*PanicError)) Option {
	return func(c *config) { c.panicHandler = handler }
}

// WithName names the pool, for dumps and for fault plans that concern one of several pools: its
// workers are the tasks "worker 0 of NAME" and so on, instead of "worker 0".
func WithName(name string) Option {
	return func(c *config) { c.name = name }
}

// WithSleep passes options to the sleep protocol: counter widths, the jobs event counter's first
// value, rounds until sleepy, another strategy than JEC (sleep.Variants). It is meant for tests and
// comparisons; the defaults are right for production.
func WithSleep(options ...sleep.Option) Option {
	return func(c *config) { c.sleep = append(c.sleep, options...) }
}

// WithSharedForks makes every fork of a join visible to the other workers at once, and posts it, as
// rayon does. By default a worker keeps the newest of them to itself while all workers are busy,
// which makes forks cheap, and shares them when a worker asks for work; one that falls idle while
// the first computes waits until that next forks or joins. Shared forks are for comparisons, and
// for programs whose leaves take so long that this matters.
func WithSharedForks() Option {
	return func(c *config) { c.keeping = keepingNothing }
}

// WithDequeCapacity sets how many jobs a worker's deque has room for before it first grows: a power
// of two, 64 by default. Tests make it small, so that deques grow while they are stolen from.
func WithDequeCapacity(n int) Option {
	return func(c *config) { c.dequeCapacity = n }
}

// WithSpares sets how many spare workers the pool may have at a time, which stand in for workers
// that block (Worker.Blocking) or wait isolated (Worker.Isolated): 32,768 by default, 0 for none.
// They count as workers where New checks how many there may be, and by default there are fewer if
// the counters cannot count them (WithSleep).
//
// A spare is made when it is first needed, and used again. One that has had nothing to do for a
// second or two has no goroutine, and keeps about a kilobyte of memory.
func WithSpares(n int) Option {
	return func(c *config) { c.spares = &n }
}

// WithMaxInjected bounds how many jobs from outside may wait for a worker: those of Go, GoN, Run
// and Submit, and of Worker.Run from other pools. When there are n, the next ones wait, first come,
// first served: an outsider blocks; of a worker of another pool the job waits, in front of the
// injector, and the worker for its result only, working meanwhile. TryGo does not wait. There is no
// bound by default. What workers start themselves, scopes and broadcasts are not bounded.
//
// A job that was dropped because its context ended keeps its place until a worker takes it.
func WithMaxInjected(n int) Option {
	return func(c *config) { c.maxInjected = &n }
}

// WithStartHandler sets what each worker calls on its goroutine before its first job: to lock the
// goroutine to its thread, for instance. New waits for all of them; if one returns an error,
// panics, or calls runtime.Goexit, New returns that as an error, and leaves nothing behind.
//
// The handler runs again on the fresh goroutine that takes a worker's place after a Goexit, and on
// that of each spare worker. An error or panic there is treated as the panic of a job that nothing
// waits for; if the panic handler returns, the worker continues. The handler may look at w, but not
// start or wait for jobs with it.
func WithStartHandler(handler func(w *Worker) error) Option {
	return func(c *config) { c.startHandler = handler }
}

// WithExitHandler sets what each worker calls on its goroutine when that is about to end: with the
// pool, after a Goexit, or because a spare is not needed any more. It is not called where the start
// handler has failed. Its panics are treated as those of jobs that nothing waits for. It may look
// at w, but not start or wait for jobs with it.
func WithExitHandler(handler func(w *Worker)) Option {
	return func(c *config) { c.exitHandler = handler }
}
