package locks

import (
	"sync"
	"testing"
)

func TestLabelsRace(t *testing.T) {
	l := NewLabels()
	var wg sync.WaitGroup
	for _, label := range []string{"get", "put"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.Number(label)
		}()
	}
	wg.Wait()
	if l.Len() != 2 {
		t.Errorf("%d labels, want 2", l.Len())
	}
}
