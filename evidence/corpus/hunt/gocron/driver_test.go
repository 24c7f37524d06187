package example

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-co-op/gocron/v2"
)

// A job in singleton mode never runs twice at a time, however often it is started.
func TestSingletonRunsOnce(t *testing.T) {
	var running atomic.Int32
	s, _ := gocron.NewScheduler()
	task := gocron.NewTask(func() {
		if n := running.Add(1); n > 1 {
			t.Errorf("the job runs %d times at once", n)
		}
		time.Sleep(time.Second)
		running.Add(-1)
	})
	job, _ := s.NewJob(gocron.DurationJob(time.Hour), task, gocron.WithSingletonMode(gocron.LimitModeWait))
	s.Start()
	go job.RunNow()
	job.RunNow()
	time.Sleep(5 * time.Second)
	s.Shutdown()
}
