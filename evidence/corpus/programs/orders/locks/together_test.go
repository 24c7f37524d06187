package locks

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

var (
	onTSO   = chaos.WithMemory(control.TSO)
	onViews = chaos.WithMemory(control.Views)
)

// together runs the functions, each in a task, and waits until all have returned.
func together(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// A counter is what a lock protects: an increment that is not atomic.
type counter struct{ n atomic.Int32 }

func (x *counter) increment() {
	memory.StoreInt32(&x.n, memory.LoadInt32(&x.n, memory.Relaxed)+1, memory.Relaxed)
}

// is fails unless that is the count. All tasks have ended.
func (x *counter) is(c *chaos.C, want int32) {
	if n := x.n.Load(); n != want {
		c.Errorf("the count is %d, want %d", n, want)
	}
}
