package locks

import (
	"sync"
	"testing"
)

func TestTransfer(t *testing.T) {
	t.Parallel()
	a, b := NewAccount(1, 100), NewAccount(2, 100)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			Transfer(a, b, 30)
		}()
		go func() {
			defer wg.Done()
			Transfer(b, a, 50)
		}()
	}
	wg.Wait()
	if sum := a.Balance() + b.Balance(); sum != 200 {
		t.Errorf("there are %d, want 200", sum)
	}
}
