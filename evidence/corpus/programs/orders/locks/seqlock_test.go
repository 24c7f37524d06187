package locks

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// written and read are the fences of a seqlock: the writer's behind the odd number, the reader's
// before it looks at the number again.
func written() { memory.Fence(memory.Release) }
func read()    { memory.Fence(memory.Acquire) }

// seqlock has a writer of two words, and a reader that must not accept half of a write.
func seqlock(c *chaos.C) {
	var seq, x, y atomic.Int32
	together(func() {
		for i := range int32(2) {
			memory.StoreInt32(&seq, 2*i+1, memory.Relaxed)
			written()
			memory.StoreInt32(&x, i+1, memory.Relaxed)
			memory.StoreInt32(&y, i+1, memory.Relaxed)
			memory.StoreInt32(&seq, 2*i+2, memory.Release)
		}
	}, func() {
		before := memory.LoadInt32(&seq, memory.Acquire)
		if before%2 == 1 {
			return
		}
		a, b := memory.LoadInt32(&x, memory.Relaxed), memory.LoadInt32(&y, memory.Relaxed)
		read()
		if memory.LoadInt32(&seq, memory.Relaxed) == before && a != b {
			c.Errorf("read %d and %d", a, b)
		}
	})
}

func TestSeqlockReader(t *testing.T) {
	chaos.Explore(t, seqlock, onViews, chaos.WithoutFences("locks.read"))
}

func TestSeqlockWriter(t *testing.T) {
	chaos.Explore(t, seqlock, onViews, chaos.WithoutFences("locks.written"))
}

func TestSeqlockFixed(t *testing.T) { chaos.Explore(t, seqlock, onViews) }
