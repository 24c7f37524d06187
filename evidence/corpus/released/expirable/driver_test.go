package example

import (
	"testing"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
)

// A value that has expired is either there or not, also before it is taken out.
func TestExpired(t *testing.T) {
	cache := expirable.NewLRU[string, int](10, nil, 100*time.Millisecond)
	cache.Add("a", 7)
	for range 400 {
		if v, ok := cache.Get("a"); ok && v != 7 {
			t.Fatalf("Get = %d, %t", v, ok)
		}
		time.Sleep(300 * time.Microsecond)
	}
}
