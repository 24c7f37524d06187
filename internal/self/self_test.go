package self

import (
	"runtime"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// grow makes the runtime move the stack: a goroutine keeps its number.
//
//go:noinline
func grow(n int) byte {
	var frame [1024]byte
	if n == 0 {
		return frame[0]
	}
	frame[n%len(frame)] = grow(n - 1)
	return frame[0]
}

func TestNumbersAreDistinctAndStay(t *testing.T) {
	if !Known {
		if G() != 0 {
			t.Error("goroutines cannot be distinguished, but G is not 0")
		}
		return
	}
	const n = 500
	numbers := make(chan [2]uintptr, n)
	release := make(chan struct{})
	ended := make(chan struct{}, n)
	for range n {
		go func() {
			defer func() { ended <- struct{}{} }()
			before := G()
			grow(200)
			runtime.Gosched()
			numbers <- [2]uintptr{before, G()}
			<-release // all live at once
		}()
	}
	own := G()
	seen := map[uintptr]bool{0: true, own: true}
	for range n {
		number := <-numbers
		if number[0] != number[1] {
			t.Errorf("a goroutine's number went from %#x to %#x", number[0], number[1])
		}
		if seen[number[1]] {
			t.Errorf("number %#x is 0 or taken", number[1])
		}
		seen[number[1]] = true
	}
	close(release)
	for range n {
		<-ended
	}
	if G() != own {
		t.Error("the test's own number has changed")
	}
}

func BenchmarkG(b *testing.B) {
	for b.Loop() {
		G()
	}
}
