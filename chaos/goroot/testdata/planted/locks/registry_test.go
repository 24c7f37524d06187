package locks

import (
	"sync"
	"testing"
)

func TestRegistry(t *testing.T) {
	var r Registry
	r.Add("db", "10.0.0.1")
	var wg sync.WaitGroup
	t.Cleanup(func() {
		if _, ok := r.Get("cache"); !ok {
			t.Error("no cache")
		}
	})
	wg.Add(2)
	go func() {
		defer wg.Done()
		r.Add("cache", "10.0.0.2")
	}()
	go func() {
		defer wg.Done()
		if got := r.All([]string{"db"}); len(got) != 1 {
			t.Errorf("All = %q", got)
		}
	}()
	wg.Wait()
}
