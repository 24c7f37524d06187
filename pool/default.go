package pool

import (
	"runtime"

	"github.com/rouse-go/rouse/hooks/sync"
)

var defaultPool struct {
	mu        sync.Mutex
	p         *Pool
	execution uint64 // in which p was made
}

// Default returns the pool that a program's packages share. It is started when it is first asked
// for, with runtime.GOMAXPROCS(0) workers, and need not be closed; if it has been, the next call
// starts another. It may be called by any goroutine at any time. Under stress test each execution of
// a test has its own, and with --leaks a test that uses it has to close it.
func Default() *Pool {
	d := &defaultPool
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := currentExecution(); d.p == nil || d.p.refs.Load()&closing != 0 || d.execution != now {
		p, err := New(runtime.GOMAXPROCS(0), WithName("default"))
		if err != nil {
			panic(err) // more processors than the counters can count
		}
		d.p, d.execution = p, now
	}
	return d.p
}
