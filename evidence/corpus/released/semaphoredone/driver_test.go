package example

import (
	"context"
	"testing"

	"golang.org/x/sync/semaphore"
)

// What is released after the context has ended is not for those that wait with that context.
func TestAcquireAfterCancel(t *testing.T) {
	s := semaphore.NewWeighted(1)
	if err := s.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	acquired := make(chan error)
	go func() { acquired <- s.Acquire(ctx, 1) }()
	cancel()
	s.Release(1)
	if err := <-acquired; err == nil {
		t.Error("Acquire returned nil though its context ended before the release")
	}
}
