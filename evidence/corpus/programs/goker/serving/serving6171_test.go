package serving

import (
	"errors"
	"sync"
	"testing"
)

// A watcher probes destinations as it receives them, and reports errors to a logger until it is
// stopped.
type watcher struct {
	destinations chan string
	stop         chan struct{}
	logger       func(...any)
}

func (w *watcher) run() {
	for {
		select {
		case d := <-w.destinations:
			w.logger("cannot probe", d, errors.ErrUnsupported)
		case <-w.stop:
			return
		}
	}
}

// serving6171 stops the watcher when the test ends. The watcher may be about to log.
func serving6171(t *testing.T, wait bool) {
	var watchers sync.WaitGroup
	w := &watcher{make(chan string), make(chan struct{}), t.Log}
	watchers.Go(w.run)
	w.destinations <- "10.0.0.1"
	close(w.stop)
	if wait {
		watchers.Wait()
	}
}

func TestServing6171(t *testing.T) { serving6171(t, false) }

func TestServing6171Fixed(t *testing.T) { serving6171(t, true) }
