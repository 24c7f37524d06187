package pool

import "github.com/rouse-go/rouse/sleep"

// An Option changes a parameter of New.
type Option func(*config)

type config struct {
	sleep         []sleep.Option
	panicHandler  func(*PanicError)
	dequeCapacity int
	spares        *int // nil: the default
	name          string
}

// WithPanicHandler sets what is called, on the worker, with the panic of a job
// that nobody waits for. Without a handler such a panic crashes the process. The
// handler must neither panic nor call runtime.Goexit (t.FailNow does): both crash
// the process, with the job's panic.
func WithPanicHandler(handler func(*PanicError)) Option {
	return func(c *config) { c.panicHandler = handler }
}

// WithName names the pool, for dumps and for plans that are to strike one of
// several pools: its workers are the tasks "worker 0 of NAME" and so on, instead of
// "worker 0".
func WithName(name string) Option {
	return func(c *config) { c.name = name }
}

// WithSleep passes options to the sleep protocol: counter widths, the jobs event
// counter's first value, rounds until sleepy. It is meant for tests; the defaults
// are right for production.
func WithSleep(options ...sleep.Option) Option {
	return func(c *config) { c.sleep = append(c.sleep, options...) }
}

// WithDequeCapacity sets how many jobs a worker's deque has room for before it
// first grows: a power of two, 64 by default. Tests make it small, so that deques
// grow while they are stolen from.
func WithDequeCapacity(n int) Option {
	return func(c *config) { c.dequeCapacity = n }
}

// WithSpares sets how many spare workers the pool may have at a time, which stand in
// for workers that block (Worker.Blocking) or wait isolated (Worker.Isolated): 64 by
// default, 0 for none. They count as workers where New checks how many there may be.
func WithSpares(n int) Option {
	return func(c *config) { c.spares = &n }
}
