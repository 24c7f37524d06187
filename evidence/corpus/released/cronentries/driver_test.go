package example

import (
	"sync"
	"testing"

	"github.com/robfig/cron/v3"
)

// Two goroutines ask for the entries at the same time.
func TestEntries(t *testing.T) {
	c := cron.New()
	c.AddFunc("@hourly", func() {})
	c.Start()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if n := len(c.Entries()); n != 1 {
				t.Errorf("%d entries, want 1", n)
			}
		})
	}
	wg.Wait()
	c.Stop()
}
