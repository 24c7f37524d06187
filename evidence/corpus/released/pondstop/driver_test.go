package example

import (
	"testing"
	"time"

	"github.com/alitto/pond"
)

// The pool is stopped while it stops its idle worker.
func TestStopAfterIdle(t *testing.T) {
	pool := pond.New(1, 1, pond.IdleTimeout(time.Second))
	pool.Submit(func() {})
	time.Sleep(1500 * time.Millisecond)
	pool.StopAndWait()
}
