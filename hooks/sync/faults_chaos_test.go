//go:build chaos

package sync_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/recorder"
)

func TestWaitPassesItsPoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := install(t)
		c := sync.NewCond(new(sync.Mutex))
		done := make(chan bool)
		go func() {
			c.L.Lock()
			c.Wait()
			c.L.Unlock()
			close(done)
		}()
		synctest.Wait()
		asleep := points("mutex-lock mutex-locked cond-wait mutex-unlock mutex-unlocked")
		if got := r.Take(); !slices.Equal(got, asleep) {
			t.Errorf("falling asleep passes %q, want %q", got, asleep)
		}
		c.Signal()
		<-done
		woken := points("cond-signal mutex-lock mutex-locked cond-woken mutex-unlock mutex-unlocked")
		if got := r.Take(); !slices.Equal(got, woken) {
			t.Errorf("waking passes %q, want %q", got, woken)
		}
	})
}

func TestSignalIsDroppedOrDuplicated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := install(t)
		c := sync.NewCond(new(sync.Mutex))
		woken := 0
		waiters(c, 4, &woken)
		r.Copies = map[string]int{"sync/cond-signal": 0, "sync/cond-broadcast": 0}
		c.Signal()
		expect(t, c, &woken, 0, "a dropped Signal")
		c.Broadcast()
		expect(t, c, &woken, 0, "a dropped Broadcast")
		r.Copies["sync/cond-signal"] = 2
		c.Signal()
		expect(t, c, &woken, 2, "a duplicated Signal")
		r.Copies["sync/cond-signal"] = 1
		c.Signal()
		expect(t, c, &woken, 3, "a Signal")
		r.Copies["sync/cond-broadcast"] = 2
		c.Broadcast()
		expect(t, c, &woken, 4, "a duplicated Broadcast")
	})
}

// watched is a Locker that counts.
type watched struct {
	sync.Mutex
	locks, unlocks int
}

func (w *watched) Lock()   { w.Mutex.Lock(); w.locks++ }
func (w *watched) Unlock() { w.unlocks++; w.Mutex.Unlock() }

func TestSpuriousWakeReleasesTheLock(t *testing.T) {
	r := install(t)
	r.Fails = "sync/cond-wait"
	l := new(watched)
	c := sync.NewCond(l)
	l.Lock()
	c.Wait() // for ever, if it were not spurious
	if l.locks != 2 || l.unlocks != 1 {
		t.Errorf("%d locks and %d unlocks at the end of a spurious Wait, want 2 and 1", l.locks, l.unlocks)
	}
	if l.TryLock() {
		t.Error("a spurious Wait returned without the lock")
	}
	trace := r.Take()
	if !slices.Contains(trace, "sync/cond-woken") {
		t.Errorf("a spurious Wait passes %q, without sync/cond-woken", trace)
	}
	l.Unlock()
}

func TestTryLockFailsOnDemand(t *testing.T) {
	var m sync.Mutex
	var rw sync.RWMutex
	for _, lock := range []struct {
		point       string
		try         func() bool
		lock, unset func()
	}{
		{"sync/mutex-try-lock", m.TryLock, m.Lock, m.Unlock},
		{"sync/rwmutex-try-lock", rw.TryLock, rw.Lock, rw.Unlock},
		{"sync/rwmutex-try-rlock", rw.TryRLock, rw.RLock, rw.RUnlock},
	} {
		t.Run(lock.point, func(t *testing.T) {
			r := install(t)
			r.Fails = lock.point
			if lock.try() {
				t.Error("succeeded, though it was to fail")
			}
			if got := r.Take(); !slices.Equal(got, []string{lock.point}) {
				t.Errorf("a failure passes %q", got)
			}
			lock.lock() // for ever, if the failure had left it locked
			lock.unset()
			r.Fails = ""
			if !lock.try() {
				t.Error("failed, though it was not to")
			}
			lock.unset()
		})
	}
}

func TestPoolMissesOnDemand(t *testing.T) {
	r := install(t)
	r.Fails = "sync/pool-get"
	var p sync.Pool
	for range 100 { // under -race a pool may lose some, never all
		p.Put("used")
		if v := p.Get(); v != nil {
			t.Fatalf("a miss without New: %v, want nil", v)
		}
	}
	p.New = func() any { return "new" }
	if v := p.Get(); v != "new" {
		t.Errorf("a miss: %v, want what New makes", v)
	}
	r.Fails = ""
	for range 1000 { // the garbage collector is free to make it miss, but not always
		p.Put("used")
		if p.Get() == "used" {
			return
		}
	}
	t.Error("every Get misses, though none was to")
}

func TestGoMakesATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := install(t)
		var wg sync.WaitGroup
		open := make(chan bool)
		wg.Go(func() { <-open })
		synctest.Wait()
		if got, want := r.Take(), points("waitgroup-add waitgroup-go"); !slices.Equal(got, want) || r.Tasks != 1 {
			t.Errorf("Go passes %q and makes %d tasks, want %q and 1", got, r.Tasks, want)
		}
		close(open)
		synctest.Wait()
		if got, want := r.Take(), points("waitgroup-done"); !slices.Equal(got, want) {
			t.Errorf("the end of the task passes %q, want %q", got, want)
		}
		wg.Wait()
	})
}

// swallow is an engine whose tasks recover, as an engine does that reports a
// panic instead of dying of it.
type swallow struct {
	*recorder.Recorder
	panics chan any
}

func (s swallow) Task(f func()) func() {
	return func() {
		defer func() { s.panics <- recover() }()
		f()
	}
}

// As the standard Go: see the comment there.
func TestGoDoesNotCountOffWhatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := swallow{faulty(recorder.New(t)), make(chan any)}
		recorder.Arm(t, e)
		var wg sync.WaitGroup
		wg.Go(func() { panic("task") })
		if v := <-e.panics; v != "task" {
			t.Errorf("the task ends with %v, want its panic", v)
		}
		waited := false
		var end sync.WaitGroup
		end.Add(1)
		go func() {
			wg.Wait()
			waited = true
			end.Done()
		}()
		synctest.Wait()
		if waited {
			t.Error("the task was counted off")
		}
		wg.Done()
		end.Wait()
	})
}
