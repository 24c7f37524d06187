package example

import (
	"testing"

	"github.com/Workiva/go-datastructures/batcher"
)

// Dispose is called while another goroutine puts. Both must return.
func TestDisposeBesidePut(t *testing.T) {
	b, err := batcher.New(0, 10, 0, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.Put(1)
	}()
	b.Dispose()
	<-done
}
