package example

import (
	"context"
	"sync"
	"testing"

	"github.com/jolestar/go-commons-pool/v2"
)

// Two objects are returned while two goroutines borrow. Nothing else happens, so each gets one.
func TestTwoReturnsTwoBorrowers(t *testing.T) {
	ctx := context.Background()
	config := pool.NewDefaultPoolConfig()
	config.MaxTotal = 2
	p := pool.NewObjectPool(ctx, pool.NewPooledObjectFactorySimple(func(context.Context) (any, error) { return new(int), nil }), config)
	a, _ := p.BorrowObject(ctx)
	b, _ := p.BorrowObject(ctx)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { p.BorrowObject(ctx) })
	}
	p.ReturnObject(ctx, a)
	p.ReturnObject(ctx, b)
	wg.Wait()
}
