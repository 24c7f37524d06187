package queues

import "context"

// A Feed produces values until its context ends.
type Feed struct {
	C    chan int
	done chan struct{}
}

func NewFeed(ctx context.Context, values ...int) *Feed {
	f := &Feed{C: make(chan int), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for _, v := range values {
			if !f.send(ctx, v) {
				return
			}
		}
	}()
	return f
}

// Wait waits until the producer has ended.
func (f *Feed) Wait() { <-f.done }
