package example

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/puddle/v2"
)

// Stat is called while a resource is constructed.
func TestStat(t *testing.T) {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 1, nil },
		Destructor:  func(int) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { pool.Stat() })
	if r, err := pool.Acquire(context.Background()); err == nil {
		r.Release()
	}
	wg.Wait()
	pool.Close()
}
