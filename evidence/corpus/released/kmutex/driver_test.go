package example

import (
	"sync"
	"testing"

	"github.com/im7mortal/kmutex"
)

// A waiter for one key does not take the wakeup of a waiter for another key.
func TestTwoKeys(t *testing.T) {
	locks := kmutex.New()
	locks.Lock("other")
	var others, wg sync.WaitGroup
	others.Go(func() { locks.Lock("other"); locks.Unlock("other") })
	for range 2 {
		wg.Go(func() { locks.Lock("key"); locks.Unlock("key") })
	}
	wg.Wait()
	locks.Unlock("other")
	others.Wait()
}
