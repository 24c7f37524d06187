package memory_test

import (
	"fmt"
	"runtime"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A message is published by a release store, and read behind an acquire load that
// sees it.
func Example() {
	var data, ready atomic.Uint32
	done := make(chan struct{})
	go func() {
		defer close(done)
		for memory.LoadUint32(&ready, memory.Acquire) == 0 {
			runtime.Gosched()
		}
		fmt.Println(memory.LoadUint32(&data, memory.Relaxed))
	}()
	memory.StoreUint32(&data, 42, memory.Relaxed)
	memory.StoreUint32(&ready, 1, memory.Release)
	<-done
	// Output: 42
}

// Each says that it is there and then looks for the other. At least one sees the
// other: that takes a fence between the two, or orders that amount to one.
func ExampleFence() {
	var here, there atomic.Bool
	meet := func(mine, other *atomic.Bool) bool {
		memory.StoreBool(mine, true, memory.Relaxed)
		memory.Fence(memory.SeqCst)
		return memory.LoadBool(other, memory.Relaxed)
	}
	met := make(chan bool)
	go func() { met <- meet(&here, &there) }()
	a := meet(&there, &here)
	b := <-met
	fmt.Println(a || b)
	// Output: true
}

func ExampleLoadPointer() {
	type config struct{ size int }
	var current atomic.Pointer[config]
	current.Store(&config{size: 3})
	fmt.Println(memory.LoadPointer(&current, memory.Acquire).size)
	// Output: 3
}

func ExampleStorePointer() {
	type config struct{ size int }
	var current atomic.Pointer[config]
	memory.StorePointer(&current, &config{size: 3}, memory.Release)
	fmt.Println(current.Load().size)
	// Output: 3
}

// A task that takes the flag sees what was done before it was released.
func ExampleSwapBool() {
	var taken atomic.Bool
	fmt.Println(memory.SwapBool(&taken, true, memory.Acquire))
	fmt.Println(memory.SwapBool(&taken, true, memory.Acquire))
	memory.StoreBool(&taken, false, memory.Release)
	// Output:
	// false
	// true
}

func ExampleCompareAndSwapUint32() {
	const idle, running = 0, 1
	var state atomic.Uint32
	start := func() bool {
		return memory.CompareAndSwapUint32(&state, idle, running, memory.AcqRel, memory.Relaxed)
	}
	fmt.Println(start(), start())
	// Output: true false
}

// The last one to leave has to see what all the others did.
func ExampleAddInt64() {
	var references atomic.Int64
	memory.AddInt64(&references, 2, memory.Relaxed)
	leave := func() bool { return memory.AddInt64(&references, -1, memory.AcqRel) == 0 }
	fmt.Println(leave(), leave())
	// Output: false true
}

func ExampleAndUint32() {
	var bits atomic.Uint32
	bits.Store(0b111)
	fmt.Printf("%03b %03b\n", memory.AndUint32(&bits, 0b101, memory.Release), bits.Load())
	// Output: 111 101
}

func ExampleOrUint32() {
	var bits atomic.Uint32
	fmt.Printf("%03b %03b\n", memory.OrUint32(&bits, 0b100, memory.Acquire), bits.Load())
	// Output: 000 100
}

func ExampleOrder() {
	fmt.Println(memory.Relaxed, memory.SeqCst)
	// Output: Relaxed SeqCst
}
