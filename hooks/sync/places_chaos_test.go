//go:build chaos

package sync_test

import (
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/recorder"
)

// A point is on the side of its operation that its window says: these tests
// look around while they are there.

// at looks, during op, whether cond holds at the point.
func at(t *testing.T, r *recorder.Recorder, point string, op func(), what string, cond func() bool) {
	t.Helper()
	looked := false
	r.When(point, func() {
		looked = true
		if !cond() {
			t.Errorf("at %s, not so: %s", point, what)
		}
	})
	op()
	if !looked {
		t.Errorf("%s was not passed", point)
	}
}

func TestPlacesAroundLocks(t *testing.T) {
	r := install(t)
	var m sync.Mutex
	free := func() bool {
		ok := m.TryLock()
		if ok {
			m.Unlock()
		}
		return ok
	}
	held := func() bool { return !free() }
	at(t, r, "sync/mutex-lock", m.Lock, "free", free)
	at(t, r, "sync/mutex-unlock", m.Unlock, "held", held)
	at(t, r, "sync/mutex-locked", m.Lock, "held", held)
	at(t, r, "sync/mutex-unlocked", m.Unlock, "free", free)

	var rw sync.RWMutex
	free = func() bool {
		ok := rw.TryLock()
		if ok {
			rw.Unlock()
		}
		return ok
	}
	held = func() bool { return !free() }
	at(t, r, "sync/rwmutex-lock", rw.Lock, "free", free)
	at(t, r, "sync/rwmutex-unlock", rw.Unlock, "held", held)
	at(t, r, "sync/rwmutex-locked", rw.Lock, "held", held)
	at(t, r, "sync/rwmutex-unlocked", rw.Unlock, "free", free)
	at(t, r, "sync/rwmutex-rlock", rw.RLock, "free", free)
	at(t, r, "sync/rwmutex-runlock", rw.RUnlock, "held", held)
	at(t, r, "sync/rwmutex-rlocked", rw.RLock, "held", held)
	at(t, r, "sync/rwmutex-runlocked", rw.RUnlock, "free", free)
}

func TestPlacesAroundOnce(t *testing.T) {
	r := install(t)
	for name, do := range map[string]func(f func()){
		"Do":         func(f func()) { new(sync.Once).Do(f) },
		"OnceFunc":   func(f func()) { sync.OnceFunc(f)() },
		"OnceValue":  func(f func()) { sync.OnceValue(func() int { f(); return 1 })() },
		"OnceValues": func(f func()) { sync.OnceValues(func() (int, int) { f(); return 1, 2 })() },
	} {
		for point, want := range map[string]bool{"once-do": false, "once-run": false, "once-done": true} {
			ran := false
			at(t, r, "sync/"+point, func() { do(func() { ran = true }) }, name+": whether the function has run", func() bool { return ran == want })
		}
	}
}

func TestPlacesBeforeMapAndPool(t *testing.T) {
	r := install(t)
	var m sync.Map
	in := func() bool { _, ok := m.Load(1); return ok }
	out := func() bool { return !in() }
	at(t, r, "sync/map-store", func() { m.Store(1, 1) }, "no entry", out)
	at(t, r, "sync/map-delete", func() { m.Delete(1) }, "an entry", in)
	m.Store(1, 1)
	at(t, r, "sync/map-clear", m.Clear, "an entry", in)

	for range 50 { // under -race a pool loses some
		var p sync.Pool
		at(t, r, "sync/pool-put", func() { p.Put(1) }, "nothing put", func() bool { return p.Get() == nil })
	}
}

func TestPlacesAroundWaitGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := install(t)
		// Each with a WaitGroup of its own: one that was waited for may not be
		// counted up before Wait has returned.
		var wg *sync.WaitGroup
		count := func(n int) {
			synctest.Wait() // until the last one's waiters are through with their points
			wg = new(sync.WaitGroup)
			wg.Add(n)
		}
		over := func() bool { // whether Wait returns
			waited := make(chan bool, 1)
			go func(wg *sync.WaitGroup) {
				wg.Wait()
				waited <- true
			}(wg)
			synctest.Wait()
			return len(waited) == 1
		}
		counting := func() bool { return !over() }

		count(0)
		at(t, r, "sync/waitgroup-add", func() { wg.Add(1) }, "not counted", over)
		count(1)
		at(t, r, "sync/waitgroup-done", func() { wg.Done() }, "counted", counting)
		count(1)
		at(t, r, "sync/waitgroup-wait", func() { wg.Wait() }, "still time for Done", func() bool { wg.Done(); return true })
		count(0)
		at(t, r, "sync/waitgroup-waited", func() { wg.Wait() }, "the count is zero", over)

		count(0)
		began := false
		at(t, r, "sync/waitgroup-go", func() { wg.Go(func() { began = true }) }, "counted, not begun", func() bool { return counting() && !began })
		wg.Wait()
		if !began {
			t.Error("the function did not run")
		}
	})
}
