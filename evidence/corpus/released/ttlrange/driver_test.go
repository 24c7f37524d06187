package example

import (
	"sync"
	"testing"

	"github.com/jellydator/ttlcache/v3"
)

// An entry may be deleted during a Range.
func TestRange(t *testing.T) {
	c := ttlcache.New[string, int]()
	c.Set("a", 1, ttlcache.NoTTL)
	c.Set("b", 2, ttlcache.NoTTL)
	var wg sync.WaitGroup
	wg.Go(func() { c.Range(func(*ttlcache.Item[string, int]) bool { return true }) })
	wg.Go(func() { c.Delete("a") })
	wg.Wait()
	c.Set("c", 3, ttlcache.NoTTL)
}
