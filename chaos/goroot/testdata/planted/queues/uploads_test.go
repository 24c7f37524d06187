package queues

import (
	"context"
	"sync"
	"testing"
)

func TestUploadsCancelled(t *testing.T) {
	u := NewUploads(1)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := u.Put(ctx, "a", []byte("first")); err != nil && ctx.Err() == nil {
			t.Errorf("Put: %v", err)
		}
	})
	wg.Go(cancel)
	wg.Wait()
	if err := u.Put(t.Context(), "b", []byte("second")); err != nil {
		t.Fatal(err)
	}
	if !u.Has("b") {
		t.Error("b is not stored")
	}
}
