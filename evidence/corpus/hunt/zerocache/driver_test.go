package example

import (
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/collection"
)

// An item that is deleted and set at the same time expires, if it is there at all.
func TestExpiryAfterDelBesideSet(t *testing.T) {
	cache, err := collection.NewCache(2 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	cache.Set("key", "old")
	done := make(chan struct{})
	go func() {
		defer close(done)
		cache.Del("key")
	}()
	cache.Set("key", "new")
	<-done
	time.Sleep(10 * time.Second)
	if v, ok := cache.Get("key"); ok {
		t.Errorf("%v is in the cache 8 s after it expired", v)
	}
}
