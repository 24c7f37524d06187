package example

import (
	"testing"
	"time"

	"github.com/jellydator/ttlcache/v3"
)

// An item is set again about when it expires, beside Start and Stop.
func TestSetAtExpiry(t *testing.T) {
	c := ttlcache.New(ttlcache.WithTTL[string, int](time.Second))
	go c.Start()
	c.Set("key", 1, ttlcache.DefaultTTL)
	time.Sleep(1500 * time.Millisecond)
	c.Set("key", 2, ttlcache.DefaultTTL)
	if i := c.Get("key"); i == nil || i.Value() != 2 {
		t.Errorf("the item is %v", i)
	}
	time.Sleep(3 * time.Second)
	if n := c.Len(); n != 0 {
		t.Errorf("%d items are left", n)
	}
	c.Stop()
}
