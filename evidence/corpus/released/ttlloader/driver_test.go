package example

import (
	"sync"
	"testing"
	"time"

	"github.com/ReneKroon/ttlcache/v2"
)

// Whoever asks for a value while it is being loaded gets it, too.
func TestLoad(t *testing.T) {
	c := ttlcache.NewCache()
	defer c.Close()
	c.SetLoaderFunction(func(string) (any, time.Duration, error) { return 7, time.Hour, nil })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if v, err := c.Get("a"); v != 7 || err != nil {
				t.Error(v, err)
			}
		})
	}
	wg.Wait()
}
