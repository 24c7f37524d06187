package example

import (
	"testing"
	"time"

	"github.com/alitto/pond"
)

// A task is submitted while the pool stops its idle worker.
func TestSubmitAfterIdle(t *testing.T) {
	pool := pond.New(1, 1, pond.IdleTimeout(time.Second))
	pool.SubmitAndWait(func() {})
	time.Sleep(1500 * time.Millisecond)
	pool.SubmitAndWait(func() {})
	pool.StopAndWait()
}
