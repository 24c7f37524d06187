package example

import (
	"context"
	"testing"
	"time"

	"github.com/reugn/go-quartz/quartz"
)

// A scheduler that is stopped and started again runs.
func TestStartAfterStop(t *testing.T) {
	s, err := quartz.NewStdScheduler()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.Start(ctx)
	s.Stop()
	s.Start(ctx)
	time.Sleep(time.Second)
	if !s.IsStarted() {
		t.Error("the scheduler has stopped, but Stop was not called since Start")
	}
}
