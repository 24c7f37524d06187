package caches

import (
	"runtime"
	"sync/atomic"
)

const (
	running = iota
	paused
	stopped
)

// A Loop polls until it is stopped.
type Loop struct {
	state atomic.Int32
	done  chan struct{}
}

func NewLoop(poll func()) *Loop {
	l := &Loop{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		for {
			switch l.state.Load() {
			case running:
				poll()
			case stopped:
				return
			}
			runtime.Gosched()
		}
	}()
	return l
}

// Stop ends the loop, and waits for it.
func (l *Loop) Stop() {
	l.state.Store(stopped)
	<-l.done
}
