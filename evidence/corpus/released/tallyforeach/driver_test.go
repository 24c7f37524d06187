package example

import (
	"sync"
	"testing"

	"github.com/uber-go/tally/v4"
)

// A snapshot may be taken while tagged scopes are made.
func TestSnapshot(t *testing.T) {
	scope := tally.NewTestScope("", nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, v := range []string{"a", "b", "c"} {
			scope.Tagged(map[string]string{"k": v}).Counter("hits").Inc(1)
		}
	})
	wg.Go(func() { scope.Snapshot() })
	wg.Wait()
}
