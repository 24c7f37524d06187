package example

import (
	"sync"
	"testing"

	"github.com/ReneKroon/ttlcache/v2"
)

// Set returns, also if the cache is closed at the same time.
func TestSetAndClose(t *testing.T) {
	c := ttlcache.NewCache()
	var wg sync.WaitGroup
	wg.Go(func() { _ = c.Set("a", 7) })
	wg.Go(func() { _ = c.Close() })
	wg.Wait()
}
