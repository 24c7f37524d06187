package istio

import (
	"sync"
	"testing"
)

// A fileSource handles events of files until done is closed.
type fileSource struct {
	events chan string
	done   chan struct{}
	loop   sync.WaitGroup
}

func (s *fileSource) start() {
	s.loop.Go(func() {
		for {
			select {
			case <-s.done:
				return
			case <-s.events:
			}
		}
	})
}

// stop closes done. If it also forgets the channel, the loop may wait for no channel at all.
func (s *fileSource) stop(forget bool) {
	close(s.done)
	if forget {
		s.done = nil
	}
}

func istio8967(forget bool) {
	s := &fileSource{events: make(chan string, 1), done: make(chan struct{})}
	s.start()
	s.events <- "changed"
	s.stop(forget)
	s.loop.Wait()
}

func TestIstio8967(*testing.T) { istio8967(true) }

func TestIstio8967Fixed(*testing.T) { istio8967(false) }
