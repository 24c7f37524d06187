package cs

import (
	"sync"
	"testing"
)

// lazy01 adds 1 and 2 beside a check that the sum stays below the limit.
func lazy01(t *testing.T, limit int) {
	var mu sync.Mutex
	sum := 0
	add := func(n int) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			sum += n
		}
	}
	together(add(1), add(2), func() {
		mu.Lock()
		defer mu.Unlock()
		if sum >= limit {
			t.Errorf("the sum is %d", sum)
		}
	})
}

func TestLazy01(t *testing.T)      { lazy01(t, 3) }
func TestLazy01Fixed(t *testing.T) { lazy01(t, 4) }

// stateful01 changes two variables, each twice and under its lock.
func stateful01(t *testing.T, right func(a, b int) bool) {
	var mu sync.Mutex
	a, b := 10, 10
	change := func(x *int, n int) {
		mu.Lock()
		*x += n
		mu.Unlock()
	}
	together(func() { change(&a, 1); change(&b, 1) }, func() { change(&a, 5); change(&b, -6) })
	if !right(a, b) {
		t.Errorf("the variables are %d and %d", a, b)
	}
}

// TestStateful01 claims that the variables do not end at 16 and 5, where they always end.
func TestStateful01(t *testing.T) {
	stateful01(t, func(a, b int) bool { return a != 16 || b != 5 })
}

func TestStateful01Fixed(t *testing.T) {
	stateful01(t, func(a, b int) bool { return a == 16 && b == 5 })
}

// tokenRing passes a token through three places, one goroutine for each, and checks that it has
// arrived everywhere once all are done. With inOrder, a place waits for the one before.
func tokenRing(t *testing.T, inOrder bool) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	x := [3]int{1, 2, 1}
	var done [3]bool
	pass := func(i int, value func() int) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			for inOrder && i > 0 && !done[i-1] {
				changed.Wait()
			}
			x[i], done[i] = value(), true
			changed.Broadcast()
		}
	}
	together(
		pass(0, func() int { return (x[2] + 1) % 4 }),
		pass(1, func() int { return x[0] }),
		pass(2, func() int { return x[1] }),
		func() {
			mu.Lock()
			defer mu.Unlock()
			if done == [3]bool{true, true, true} && (x[0] != x[1] || x[1] != x[2]) {
				t.Errorf("the places hold %v", x)
			}
		})
}

func TestTokenRing(t *testing.T)      { tokenRing(t, false) }
func TestTokenRingFixed(t *testing.T) { tokenRing(t, true) }
