package inspect

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// The states of a sorter.
const (
	idle = iota
	busy
	ended
)

// A sorter waits for a part of the numbers, sorts it, and is idle again.
type sorter struct {
	all     *sorters
	mu      sync.Mutex
	changed *sync.Cond // state, or part
	state   atomic.Int32
	part    []int
}

// sorters are a fixed number of them. The last that falls idle ends all.
type sorters struct {
	mu      sync.Mutex
	members []*sorter
	idle    int
	// fork is the least size of a part that another sorter is asked to take.
	fork int
	// locksFirst: a sorter's state changes under its own lock, too.
	locksFirst bool
}

// sortAll sorts the numbers with so many sorters.
func sortAll(numbers []int, members, fork int, locksFirst bool) {
	all := &sorters{idle: members, fork: fork, locksFirst: locksFirst}
	for range members {
		s := &sorter{all: all}
		s.changed = sync.NewCond(&s.mu)
		all.members = append(all.members, s)
	}
	var wg sync.WaitGroup
	for _, s := range all.members {
		wg.Go(s.run)
	}
	first := all.members[0]
	first.mu.Lock()
	all.idle--
	first.give(numbers, busy)
	wg.Wait()
}

// give hands a part to the sorter, whose lock is held, and unlocks.
func (s *sorter) give(part []int, state int32) {
	s.part = part
	s.state.Store(state)
	s.changed.Signal()
	s.mu.Unlock()
}

// claim returns an idle sorter, locked, or nil. The sorter is busy from here on: if its state changes
// before it is locked, it may see that, and sort what it was given before.
func (all *sorters) claim() *sorter {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, s := range all.members {
		if s.state.Load() != idle {
			continue
		}
		all.idle--
		if all.locksFirst {
			s.mu.Lock()
			s.state.Store(busy)
		} else {
			s.state.Store(busy)
			s.mu.Lock()
		}
		return s
	}
	return nil
}

func (s *sorter) run() {
	for {
		s.mu.Lock()
		for s.state.Load() == idle {
			s.changed.Wait()
		}
		s.mu.Unlock()
		if s.state.Load() == ended {
			return
		}
		s.all.sort(s.part)
		if s.all.done(s) {
			return
		}
	}
}

// done makes the sorter idle, and ends the others if all are. It reports whether all are.
func (all *sorters) done(s *sorter) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	s.state.Store(idle)
	if all.idle++; all.idle < len(all.members) {
		return false
	}
	for _, other := range all.members {
		if other != s {
			other.mu.Lock()
			other.give(nil, ended)
		}
	}
	return true
}

// sort is Quicksort. The left part may go to another sorter.
func (all *sorters) sort(part []int) {
	for len(part) > 1 {
		pivot, last := part[len(part)/2], len(part)-1
		i, j := 0, last
		for i <= j {
			for part[i] < pivot {
				i++
			}
			for part[j] > pivot {
				j--
			}
			if i <= j {
				part[i], part[j] = part[j], part[i]
				i, j = i+1, j-1
			}
		}
		left, right := part[:j+1], part[i:]
		if s := all.other(left, right); s != nil {
			s.give(left, busy)
		} else {
			all.sort(left)
		}
		part = right
	}
}

// other returns another sorter for the left part, locked, if both parts are large enough and one is idle.
func (all *sorters) other(left, right []int) *sorter {
	if len(left) < all.fork || len(right) < all.fork {
		return nil
	}
	return all.claim()
}

func qsort(t *testing.T, locksFirst bool) {
	numbers := make([]int, 16)
	for i := range numbers {
		numbers[i] = i * 7 % len(numbers)
	}
	sortAll(numbers, 2, 3, locksFirst)
	if !slices.IsSorted(numbers) {
		t.Errorf("not sorted: %v", numbers)
	}
}

func TestQsortMT(t *testing.T)      { qsort(t, false) }
func TestQsortMTFixed(t *testing.T) { qsort(t, true) }
