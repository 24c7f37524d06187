package example

import (
	"testing"
	"time"

	"github.com/robfig/cron/v3"
)

// Entries are added and removed beside Stop, whose context ends when the jobs have.
func TestRemoveBesideStop(t *testing.T) {
	c := cron.New()
	running := false
	id := c.Schedule(cron.Every(time.Second), cron.FuncJob(func() {
		running = true
		time.Sleep(time.Second / 2)
		running = false
	}))
	c.Start()
	time.Sleep(1200 * time.Millisecond)
	go c.Remove(id)
	go c.Entries()
	if <-c.Stop().Done(); running {
		t.Error("the job runs when the context of Stop has ended")
	}
}
