package loops

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Loops that end, and whose progress is nowhere near the goroutines: in package-level variables, at the end of a list,
// in an element of a slice, in what another goroutine counts that only sleeps, or in what is drawn at random.

const many = 2 * rounds

var (
	mu      sync.RWMutex
	counter int
	counts  = map[string]int{}
	stats   = &struct{ least, most, all int }{}
	big     = make([]int, 1<<11)
	flag    atomic.Bool
	array   [1 << 10]struct{ _, n int }
)

// under does something under a lock and says whether that is over.
//
//go:noinline
func under(f func() bool) bool {
	mu.Lock()
	defer mu.Unlock()
	return f()
}

func hits(n *int) func() bool { return func() bool { *n++; return *n%many == 0 } }

func loop(over func() bool) {
	for !under(over) {
	}
}

//go:noinline
func hitCounter() bool { counter++; return counter%many == 0 }

func TestPackageVariable(*testing.T) { loop(hitCounter) }

func TestPackageMap(*testing.T) {
	loop(func() bool { counts["all"]++; return counts["all"]%many == 0 })
}

func TestPackagePointer(*testing.T) {
	loop(func() bool { stats.all++; return stats.all%many == 0 })
}

func TestPackageSlice(*testing.T) { loop(hits(&big[1_900])) }
func TestPackageArray(*testing.T) { loop(hits(&array[1_000].n)) }

func TestEndOfList(*testing.T) {
	type node struct {
		next *node
		n    int
	}
	var list *node
	for range 100 {
		list = &node{next: list}
	}
	loop(func() bool {
		last := list
		for last.next != nil {
			last = last.next
		}
		last.n++
		return last.n == many
	})
}

func TestElement(*testing.T) {
	all := make([]int, 1<<11)
	loop(hits(&all[1_900]))
}

func TestReads(*testing.T) {
	for over := false; !over; over = hitCounter() {
		mu.RLock()
		runtime.Gosched()
		mu.RUnlock()
	}
}

func TestLoadsAndCounts(*testing.T) {
	for over := false; !over && !flag.Load(); over = hitCounter() {
	}
}

func TestYieldsAndCounts(*testing.T) {
	for over := false; !over; over = hitCounter() {
		runtime.Gosched()
	}
}

func TestTriesAndCounts(*testing.T) {
	mu.Lock()
	defer mu.Unlock()
	for over := false; !over && !mu.TryLock(); over = hitCounter() {
	}
}

func TestPollsAndCounts(*testing.T) {
	c := make(chan bool)
	for over := false; !over; over = hitCounter() {
		select {
		case <-c:
		default:
		}
	}
}

func TestTwoCount(*testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range many / 4 {
				under(hitCounter)
			}
		})
	}
	wg.Wait()
}

// beside waits in a loop for a goroutine that sleeps again and again.
func beside(s *state, again func() bool) {
	go func() {
		for again() {
			time.Sleep(time.Millisecond)
		}
		s.finish()
	}()
	for !s.isDone() {
	}
}

func TestBesideCountedSleeps(*testing.T) {
	i := 0
	beside(new(state), func() bool { i++; return i < 300 })
}

func TestBesideSleepsOfPackage(*testing.T) {
	beside(new(state), func() bool { counter++; return counter%100 > 0 })
}

func TestLoadsBesideSleeps(*testing.T) {
	var done atomic.Bool
	go func() {
		for range 500 {
			time.Sleep(time.Millisecond)
		}
		done.Store(true)
	}()
	for !done.Load() {
	}
}

func TestFoundBesideSleeps(*testing.T) { beside(new(state), func() bool { return true }) }

func TestFoundYieldsBesideSleeps(*testing.T) {
	var done atomic.Bool
	for range 2 {
		go func() {
			for !done.Load() {
				runtime.Gosched()
			}
		}()
	}
	go func() {
		for {
			time.Sleep(time.Hour)
		}
	}()
	for !done.Load() {
		runtime.Gosched()
	}
}

func TestFoundLoads(*testing.T) {
	var done atomic.Bool
	go func() {
		for !done.Load() {
		}
	}()
	for !done.Load() {
	}
}

func TestFoundPolls(*testing.T) {
	for c := make(chan bool); ; {
		select {
		case <-c:
			return
		default:
		}
	}
}

func TestFoundTries(*testing.T) {
	var mu sync.Mutex
	mu.Lock()
	for !mu.TryLock() {
		runtime.Gosched()
	}
}
