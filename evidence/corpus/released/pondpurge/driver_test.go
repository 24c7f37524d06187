package example

import (
	"testing"
	"time"

	"github.com/alitto/pond"
)

// A task is submitted while the pool stops its idle worker.
func TestSubmitAfterIdle(t *testing.T) {
	pool := pond.New(1, 1, pond.IdleTimeout(time.Second))
	for range 3 {
		pool.SubmitAndWait(func() {})
		time.Sleep(400 * time.Millisecond)
	}
	pool.StopAndWait()
}
