package cs

import (
	"sync"
	"testing"
)

func under(first, second *sync.Mutex, f func()) {
	first.Lock()
	second.Lock()
	f()
	second.Unlock()
	first.Unlock()
}

// TestDeadlock01 takes two locks in both orders.
func TestDeadlock01(t *testing.T) {
	var a, b sync.Mutex
	n := 1
	together(func() { under(&a, &b, func() { n++ }) }, func() { under(&b, &a, func() { n-- }) })
}

func TestDeadlock01Fixed(t *testing.T) {
	var a, b sync.Mutex
	n := 1
	together(func() { under(&a, &b, func() { n++ }) }, func() { under(&a, &b, func() { n-- }) })
}

// phase01 goes through two phases, each with a lock of its own; in the first it may forget to unlock.
func phase01(forgets bool) {
	var x, y sync.Mutex
	pass := func(mu *sync.Mutex) { mu.Lock(); mu.Unlock() }
	f := func() {
		pass(&x)
		x.Lock()
		if !forgets {
			x.Unlock()
		}
		pass(&y)
		pass(&y)
	}
	together(f, f)
}

// TestPhase01 ends with the lock of the first phase held, so that the other goroutine waits for ever,
// under any schedule.
func TestPhase01(t *testing.T)      { phase01(true) }
func TestPhase01Fixed(t *testing.T) { phase01(false) }

// fsbench lets each thread allocate a block for its inode. There are 26 locks of inodes.
func fsbench(threads int) {
	const blocks, inodes = 26, 32
	var inodeLocks, blockLocks [blocks]sync.Mutex
	var busy [blocks]bool
	var inode [inodes]int
	var fs []func()
	for n := range threads {
		fs = append(fs, func() {
			i := n % inodes
			inodeLocks[i].Lock()
			defer inodeLocks[i].Unlock()
			if inode[i] != 0 {
				return
			}
			for j := range blocks / 2 {
				b := (2*i + j) % blocks
				blockLocks[b].Lock()
				free := !busy[b]
				if free {
					busy[b], inode[i] = true, b+1
				}
				blockLocks[b].Unlock()
				if free {
					break
				}
			}
		})
	}
	together(fs...)
}

// TestFSBench has a thread more than there are locks, under any schedule.
func TestFSBench(t *testing.T)      { fsbench(27) }
func TestFSBenchFixed(t *testing.T) { fsbench(26) }
