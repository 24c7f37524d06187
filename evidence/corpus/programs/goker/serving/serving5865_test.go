package serving

import (
	"context"
	"sync"
	"testing"
)

// A backend receives destinations until its context ends. Then it closes the channel of the
// destinations, which its sender does not know, or one of its own.
type backend struct {
	destinations chan int
	ended        chan struct{}
}

func (b *backend) run(ctx context.Context, closeDestinations bool) {
	if closeDestinations {
		defer close(b.destinations)
	} else {
		defer close(b.ended)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.destinations:
		}
	}
}

func serving5865(t *testing.T, closeDestinations bool) {
	b := &backend{make(chan int), make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	others.Go(func() { b.run(ctx, closeDestinations) })
	others.Go(cancel)
	select { // an update of the endpoints
	case b.destinations <- 1:
	case <-b.ended:
	}
	others.Wait()
}

func TestServing5865(t *testing.T) { serving5865(t, true) }

func TestServing5865Fixed(t *testing.T) { serving5865(t, false) }
