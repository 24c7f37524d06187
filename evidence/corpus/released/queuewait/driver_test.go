package example

import (
	"testing"

	queue "github.com/enriquebris/goconcurrentqueue"
)

// An element that is put in reaches the consumer that waits for it.
func TestWait(t *testing.T) {
	q := queue.NewFixedFIFO(4)
	go func() { _ = q.Enqueue(1) }()
	if v, err := q.DequeueOrWaitForNextElement(); v != 1 || err != nil {
		t.Fatal(v, err)
	}
}
