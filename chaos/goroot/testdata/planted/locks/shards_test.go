package locks

import (
	"sync"
	"testing"
)

func TestShards(t *testing.T) {
	s := NewShards(2)
	var wg sync.WaitGroup
	for key := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.Add(key, 1)
		}()
	}
	if got := s.Total(); got < 0 || got > 3 {
		t.Errorf("the total is %d meanwhile", got)
	}
	wg.Wait()
	if got := s.Total(); got != 3 {
		t.Errorf("the total is %d, want 3", got)
	}
}
