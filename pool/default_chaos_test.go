//go:build chaos

package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// TestDefaultIsStartedOnce: goroutines that ask for the default pool at the same time get the same one.
func TestDefaultIsStartedOnce(t *testing.T) {
	t.Cleanup(pool.ForgetDefault)
	chaos.Explore(t, func(c *chaos.C) {
		pool.ForgetDefault()
		var pools [2]*pool.Pool
		var over sync.WaitGroup
		over.Add(len(pools))
		for i := range pools {
			go hooks.Task(func() {
				defer over.Done()
				pools[i] = pool.Default()
			})()
		}
		over.Wait()
		if pools[0] != pools[1] {
			c.Errorf("two goroutines got two default pools")
			closed(pools[1])
		}
		closed(pools[0])
	}, chaos.WithExecutions(100))
}
