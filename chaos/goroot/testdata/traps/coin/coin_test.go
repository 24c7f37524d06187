// Package coin has tests whose result the kernel decides.
package coin

import (
	"os"
	"sync"
	"testing"
)

// coin is decided by the kernel.
func coin(t *testing.T) {
	id, err := os.ReadFile("/proc/sys/kernel/random/uuid")
	if err != nil {
		t.Fatal(err)
	}
	if id[0]&1 == 0 {
		t.Fatal(id[0])
	}
}

func TestUncontrolledCoin(t *testing.T) { coin(t) }

// Half of the repetitions do not come to the deadlock, but none of them passes.
func TestFoundBehindACoin(t *testing.T) {
	coin(t)
	var a, b sync.Mutex
	var done sync.WaitGroup
	done.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	done.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	done.Wait()
}
