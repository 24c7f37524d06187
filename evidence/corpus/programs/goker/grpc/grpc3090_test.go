package grpc

import (
	"errors"
	"sync"
	"testing"
)

// A lookup resolves a name. It reports its state while it is built.
type lookup struct{ again chan struct{} }

func buildLookup(report func(error)) *lookup {
	report(errors.New("no such name"))
	return &lookup{again: make(chan struct{}, 1)}
}

func (l *lookup) now() {
	select {
	case l.again <- struct{}{}:
	default:
	}
}

// A lookupOwner has the lookup tried again, in a goroutine, after each error.
type lookupOwner struct {
	mu     sync.Mutex
	lookup *lookup
	polls  sync.WaitGroup
}

func (o *lookupOwner) report(error) {
	o.polls.Go(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.lookup.now()
	})
}

func (o *lookupOwner) build(lock bool) {
	if lock {
		o.mu.Lock()
		defer o.mu.Unlock()
	}
	o.lookup = buildLookup(o.report) // set when the build has ended; the poll may run before
}

func grpc3090(lock bool) {
	o := new(lookupOwner)
	o.build(lock)
	o.polls.Wait()
}

func TestGrpc3090(*testing.T) { grpc3090(false) }

func TestGrpc3090Fixed(*testing.T) { grpc3090(true) }
