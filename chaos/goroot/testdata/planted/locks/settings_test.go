package locks

import (
	"sync"
	"testing"
)

func TestSettings(t *testing.T) {
	source := &Source{}
	source.Write("a=1")
	s := NewSettings(source)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if text := s.Text(); text != "a=1" && text != "a=2" {
				t.Errorf("the settings are %q", text)
			}
		})
	}
	wg.Go(func() { source.Write("a=2") })
	wg.Wait()
}
