package example

import (
	"context"
	"testing"
	"time"

	"github.com/reugn/go-quartz/job"
	"github.com/reugn/go-quartz/quartz"
)

// A job that repeats can be deleted at any time.
func TestDelete(t *testing.T) {
	scheduler := quartz.NewStdScheduler()
	ctx, cancel := context.WithCancel(context.Background())
	scheduler.Start(ctx)
	work := job.NewFunctionJob(func(context.Context) (bool, error) { return true, nil })
	key := quartz.NewJobKey("job")
	scheduler.ScheduleJob(quartz.NewJobDetail(work, key), quartz.NewSimpleTrigger(time.Second))
	time.Sleep(time.Second + 100*time.Microsecond)
	if err := scheduler.DeleteJob(key); err != nil {
		t.Error(err)
	}
	cancel()
	scheduler.Wait(context.Background())
}
