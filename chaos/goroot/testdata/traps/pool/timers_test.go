package pool

import (
	"sync"
	"testing"
	"time"
)

var (
	timers = sync.Pool{New: func() any {
		timer := time.AfterFunc(time.Hour, func() {})
		timer.Stop()
		return timer
	}}
	pooled  sync.Mutex
	hasRun  = map[bool]bool{} // is not restored
	watched = 20 * time.Millisecond
)

// lock locks a mutex under a timer that is set anew before the heap of timers has forgotten its last time. When it
// does so depends on who asks for the next timer.
func lock() {
	timer := timers.Get().(*time.Timer)
	timer.Reset(watched)
	pooled.Lock()
	timer.Stop()
	timers.Put(timer)
}

// Each execution has a process, since the second in one would fail: it is repeated by other means than it ran.
func TestPooled(t *testing.T) {
	if hasRun[true] {
		t.Error("a second time")
	}
	hasRun[true] = true
	lock()
	pooled.Unlock()
	done := make(chan bool)
	go func() {
		lock()
		pooled.Unlock()
		close(done)
	}()
	<-done
	pooled.Lock()
	go func() {
		lock()
		pooled.Unlock()
	}()
	time.Sleep(5 * watched)
	pooled.Unlock()
	time.Sleep(5 * watched)
}
