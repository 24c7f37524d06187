package example

import (
	"context"
	"testing"

	"github.com/jolestar/go-commons-pool/v2"
)

var ctx = context.Background()

// exhausted returns a pool of one object, which is borrowed.
func exhausted() (*pool.ObjectPool, any) {
	p := pool.NewObjectPool(ctx, pool.NewPooledObjectFactorySimple(func(context.Context) (any, error) { return new(int), nil }), pool.NewDefaultPoolConfig())
	p.Config.MaxTotal = 1
	o, _ := p.BorrowObject(ctx)
	return p, o
}

func TestCloseBesideBorrow(t *testing.T) {
	p, _ := exhausted()
	go p.Close(ctx)
	p.BorrowObject(ctx) // an object or an error, but not never
}

func TestInvalidateBesideBorrow(t *testing.T) {
	p, o := exhausted()
	go p.InvalidateObject(ctx, o)
	p.BorrowObject(ctx)
}
