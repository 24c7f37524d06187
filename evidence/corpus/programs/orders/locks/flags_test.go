package locks

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// storeLoad is the fence between "I am here" and "is the other there?".
func storeLoad() { memory.Fence(memory.SeqCst) }

// dekker is Dekker's algorithm with fences, for two tasks.
func dekker(c *chaos.C) {
	var here [2]atomic.Bool
	var turn atomic.Int32
	var x counter
	enter := func(me int32) func() {
		return func() {
			mine, other := &here[me], &here[1-me]
			memory.StoreBool(mine, true, memory.Relaxed)
			storeLoad()
			for memory.LoadBool(other, memory.Relaxed) {
				if memory.LoadInt32(&turn, memory.Relaxed) == me {
					continue
				}
				memory.StoreBool(mine, false, memory.Relaxed)
				for memory.LoadInt32(&turn, memory.Relaxed) != me {
				}
				memory.StoreBool(mine, true, memory.Relaxed)
				storeLoad()
			}
			memory.Fence(memory.Acquire)
			x.increment()
			memory.StoreInt32(&turn, 1-me, memory.Relaxed)
			memory.Fence(memory.Release)
			memory.StoreBool(mine, false, memory.Relaxed)
		}
	}
	together(enter(0), enter(1))
	x.is(c, 2)
}

func TestDekkerFences(t *testing.T) {
	chaos.Explore(t, dekker, onTSO, chaos.WithoutFences("locks.storeLoad"))
}

func TestDekkerFencesFixed(t *testing.T) { chaos.Explore(t, dekker, onTSO) }

// peterson is Peterson's algorithm for two tasks, with acquire and release.
func peterson(c *chaos.C) {
	var here [2]atomic.Bool
	var turn atomic.Int32
	var x counter
	enter := func(me int32) func() {
		return func() {
			memory.StoreBool(&here[me], true, memory.Relaxed)
			memory.StoreInt32(&turn, 1-me, memory.Release)
			storeLoad()
			for memory.LoadBool(&here[1-me], memory.Acquire) && memory.LoadInt32(&turn, memory.Acquire) != me {
			}
			x.increment()
			memory.StoreBool(&here[me], false, memory.Release)
		}
	}
	together(enter(0), enter(1))
	x.is(c, 2)
}

func TestPeterson(t *testing.T) {
	chaos.Explore(t, peterson, onTSO, chaos.WithoutFences("locks.storeLoad"))
}

func TestPetersonFixed(t *testing.T) { chaos.Explore(t, peterson, onTSO) }
