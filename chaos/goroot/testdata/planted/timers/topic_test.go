package timers

import (
	"sync"
	"testing"
)

func TestTopic(t *testing.T) {
	topic := NewTopic()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if v := topic.After(0); v != 1 {
				t.Errorf("version %d, want 1", v)
			}
		})
	}
	topic.Publish()
	wg.Wait()
}
