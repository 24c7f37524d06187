package spinners

import (
	"sync/atomic"
	"testing"
	"time"
)

var level atomic.Int32

// log prints nothing.
func log(s string) {
	if level.Load() > 0 {
		panic(s)
	}
}

// A loop that logs, at a level that is off, only reads. Time-outs are not hit meanwhile.
func TestLogging(t *testing.T) {
	done := make(chan bool)
	go func() {
		for range 300 {
			log("step")
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Error("timed out")
	}
}
