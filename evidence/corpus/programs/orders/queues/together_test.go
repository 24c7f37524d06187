package queues

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

// taken counts how often each item was taken; 0 is no item.
type taken [5]atomic.Int32

func (x *taken) take(item int64) { x[item].Add(1) }

// once fails unless items 1 to n were taken once each. All tasks have ended.
func (x *taken) once(c *chaos.C, n int) {
	for i := 1; i <= n; i++ {
		if times := x[i].Load(); times != 1 {
			c.Errorf("item %d was taken %d times", i, times)
		}
	}
}

// A node is one of a linked list.
type node struct {
	item atomic.Int64
	next atomic.Pointer[node]
}

func newNode(item int64) *node {
	n := new(node)
	memory.StoreInt64(&n.item, item, memory.Relaxed)
	return n
}
