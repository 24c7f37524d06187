package caches

import (
	"sync/atomic"
	"testing"
)

func TestLoopStop(t *testing.T) {
	var polls atomic.Int64
	l := NewLoop(func() { polls.Add(1) })
	go l.Pause()
	l.Stop()
	n := polls.Load()
	if n < 0 || n != polls.Load() {
		t.Errorf("%d polls, and the loop goes on", n)
	}
}
