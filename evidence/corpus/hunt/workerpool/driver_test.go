package example

import (
	"sync/atomic"
	"testing"

	"github.com/gammazero/workerpool"
)

// StopWait waits for the tasks that were submitted, and Stop beside it returns, too.
func TestStopBesideStopWait(t *testing.T) {
	var done atomic.Int32
	p := workerpool.New(1)
	for range 3 {
		p.Submit(func() { done.Add(1) })
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		p.StopWait()
	}()
	p.StopWait()
	<-stopped
	if done.Load() != 3 {
		t.Errorf("%d tasks are done", done.Load())
	}
}
