package locks

import (
	"sync"
	"testing"
)

func TestLazyRace(t *testing.T) {
	var l Lazy
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if c := l.Conn(); c.address != "10.0.0.1" {
				t.Errorf("the address is %q", c.address)
			}
		})
	}
	wg.Wait()
	if n := l.dialled.Load(); n != 1 {
		t.Errorf("dialled %d times", n)
	}
}
