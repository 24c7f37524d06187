package timers

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestSampler(t *testing.T) {
	var load, seen atomic.Int64
	load.Store(7)
	s := NewSampler(time.Minute, func() { seen.Store(load.Load()) })
	time.Sleep(time.Millisecond)
	s.Stop()
	if s.Samples.Load() > 0 && seen.Load() != 7 {
		t.Errorf("seen %d, want 7", seen.Load())
	}
}
