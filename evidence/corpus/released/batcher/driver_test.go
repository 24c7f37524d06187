package example

import (
	"sync"
	"testing"
	"time"

	"github.com/eapache/go-resiliency/batcher"
)

// A call of Run that has begun ends, although the batcher is shut down.
func TestRunAndShutdown(t *testing.T) {
	begun := make(chan bool)
	b := batcher.New(time.Second, func([]any) error { return nil })
	b.Prefilter(func(any) error { close(begun); return nil })
	var wg sync.WaitGroup
	wg.Go(func() { b.Run(0) })
	<-begun
	b.Shutdown(true)
	wg.Wait()
}
