package example

import (
	"context"
	"io"
	"testing"

	"github.com/jackc/puddle/v2"
)

// The caller of Acquire gives up while the constructor fails.
func TestConstructorFails(t *testing.T) {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 0, io.EOF },
		Destructor:  func(int) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	pool.Acquire(ctx)
	pool.Close()
}
