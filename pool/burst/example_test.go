package burst_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/rouse-go/rouse/pool/burst"
)

// Waiting receivers get a batch, and the caller does what is left.
func Example() {
	s := burst.NewSender[int]()
	var workers sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	add := func(v int) {
		mu.Lock()
		defer mu.Unlock()
		sum += v
	}
	for range 2 {
		r, err := s.NewReceiver()
		if err != nil {
			panic(err)
		}
		workers.Go(func() {
			for {
				v, err := r.Receive()
				if errors.Is(err, burst.ErrClosed) {
					return
				}
				add(v)
			}
		})
	}
	for s.Waiting() < 2 {
		runtime.Gosched()
	}
	mine := 0
	for v := range 5 {
		if s.Enqueue(v) != nil {
			mine++
			add(v)
		}
	}
	woken := s.Wake()
	s.Close()
	workers.Wait()
	fmt.Println(woken, "woken,", mine, "left to do,", sum, "in all")
	// Output: 2 woken, 3 left to do, 10 in all
}
