package outside

import (
	"os"
	"sync"
	"testing"
)

// Goroutines of initialisation that do what they are asked, and wake nobody by it.
var (
	mu    sync.Mutex
	asked = make(chan bool, 1)
	seen  int
	write = make(chan *os.File, 1)
)

func init() {
	go func() {
		for range asked {
			mu.Lock()
			seen++
			mu.Unlock()
		}
	}()
	go func() {
		for w := range write {
			w.Write([]byte("x"))
		}
	}()
}

func saw() int {
	mu.Lock()
	defer mu.Unlock()
	return seen
}

// A task that can always continue waits for them: they get to run all the same.
func TestOutsideGoroutine(t *testing.T) {
	before := saw()
	asked <- true
	for saw() == before {
	}
}

func TestOutsideNetwork(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done, got := make(chan bool), 0
	go func() {
		defer close(done)
		r.Read(make([]byte, 1))
		mu.Lock()
		got = 1
		mu.Unlock()
	}()
	write <- w
	for {
		mu.Lock()
		ok := got == 1
		mu.Unlock()
		if ok {
			break
		}
	}
	<-done
	r.Close()
	w.Close()
}
