package example

import (
	"github.com/Jeffail/tunny"
	"testing"
	"time"
)

type worker struct{ interrupt chan struct{} }

func (w *worker) BlockUntilReady() { w.interrupt = make(chan struct{}, 1) }
func (w *worker) Interrupt()       { w.interrupt <- struct{}{} }
func (w *worker) Terminate()       {}
func (w *worker) Process(job any) any {
	select {
	case <-w.interrupt:
		return "interrupted"
	case <-time.After(time.Millisecond):
		return job
	}
}

// A job without a time-out is not interrupted.
func TestInterrupt(t *testing.T) {
	pool := tunny.New(1, func() tunny.Worker { return &worker{} })
	go pool.ProcessTimed(1, time.Millisecond)
	if got := pool.Process(2); got != 2 {
		t.Error(got)
	}
}
