package example

import (
	"context"
	"testing"

	"github.com/jackc/puddle"
)

// The pool is closed while CreateResource constructs.
func TestCreateAndClose(t *testing.T) {
	construct := func(context.Context) (any, error) { return 0, nil }
	pool := puddle.NewPool(construct, func(any) {}, 2)
	closed := make(chan bool)
	go func() { pool.Close(); close(closed) }()
	pool.CreateResource(context.Background())
	<-closed
	pool.Stat()
}
