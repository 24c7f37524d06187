package inspect

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A tracer has a table of the lines that each goroutine has written. After end there is none.
type tracer struct {
	enabled atomic.Bool
	mu      sync.Mutex // of the table's contents
	table   atomic.Pointer[map[string]int]
}

func newTracer() *tracer {
	tr := new(tracer)
	tr.table.Store(&map[string]int{})
	tr.enabled.Store(true)
	return tr
}

// end frees the table. Those that have seen the tracer enabled may still be about to use it.
func (tr *tracer) end() {
	tr.enabled.Store(false)
	tr.table.Store(nil)
}

func (tr *tracer) print(goroutine string) {
	if !tr.enabled.Load() {
		return
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	(*tr.table.Load())[goroutine]++
}

// endFixed waits for those that use the table.
func (tr *tracer) endFixed() {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.end()
}

// printFixed looks again once the table cannot go away.
func (tr *tracer) printFixed(goroutine string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.enabled.Load() {
		(*tr.table.Load())[goroutine]++
	}
}

func ctrace(end func(*tracer), print func(*tracer, string)) {
	tr := newTracer()
	var wg sync.WaitGroup
	wg.Go(func() { end(tr) })
	wg.Go(func() {}) // the second thread of the program does nothing
	print(tr, "main")
	print(tr, "main")
	wg.Wait()
	print(tr, "main")
}

func TestCtrace(t *testing.T)      { ctrace((*tracer).end, (*tracer).print) }
func TestCtraceFixed(t *testing.T) { ctrace((*tracer).endFixed, (*tracer).printFixed) }
