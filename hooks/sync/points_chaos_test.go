//go:build chaos

package sync_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

// operations lists every operation with the points that it passes, in order. What
// needs two goroutines (Wait of a Cond) is in faults_chaos_test.go.
func operations() []struct {
	name   string
	do     func()
	points string
} {
	var m sync.Mutex
	var held sync.Mutex
	held.Lock()
	var rw sync.RWMutex
	var heldRW sync.RWMutex
	heldRW.Lock()
	c := sync.NewCond(&m)
	var wg sync.WaitGroup
	var once sync.Once
	onceFunc := sync.OnceFunc(func() {})
	onceValue := sync.OnceValue(func() int { return 1 })
	onceValues := sync.OnceValues(func() (int, int) { return 1, 2 })
	var sm sync.Map
	sm.Store(0, 0)
	sm.Store(1, 0)
	var p sync.Pool
	return []struct {
		name   string
		do     func()
		points string
	}{
		{"Mutex.Lock", m.Lock, "mutex-lock mutex-locked"},
		{"Mutex.Unlock", m.Unlock, "mutex-unlock mutex-unlocked"},
		{"Mutex.TryLock", func() { m.TryLock() }, "mutex-try-lock mutex-locked"},
		{"Mutex.TryLock of a held one", func() { held.TryLock() }, "mutex-try-lock"},

		{"RWMutex.Lock", rw.Lock, "rwmutex-lock rwmutex-locked"},
		{"RWMutex.Unlock", rw.Unlock, "rwmutex-unlock rwmutex-unlocked"},
		{"RWMutex.TryLock", func() { rw.TryLock() }, "rwmutex-try-lock rwmutex-locked"},
		{"RWMutex.TryLock of a held one", func() { heldRW.TryLock() }, "rwmutex-try-lock"},
		{"RWMutex.Unlock", rw.Unlock, "rwmutex-unlock rwmutex-unlocked"},
		{"RWMutex.RLock", rw.RLock, "rwmutex-rlock rwmutex-rlocked"},
		{"RWMutex.RUnlock", rw.RUnlock, "rwmutex-runlock rwmutex-runlocked"},
		{"RWMutex.TryRLock", func() { rw.TryRLock() }, "rwmutex-try-rlock rwmutex-rlocked"},
		{"RWMutex.TryRLock of a held one", func() { heldRW.TryRLock() }, "rwmutex-try-rlock"},
		{"RWMutex.RLocker, Lock", func() { rw.RLocker().Lock() }, "rwmutex-rlock rwmutex-rlocked"},
		{"RWMutex.RLocker, Unlock", func() { rw.RLocker().Unlock() }, "rwmutex-runlock rwmutex-runlocked"},

		{"Cond.Signal", c.Signal, "cond-signal"},
		{"Cond.Broadcast", c.Broadcast, "cond-broadcast"},

		{"WaitGroup.Add", func() { wg.Add(1) }, "waitgroup-add"},
		{"WaitGroup.Done", wg.Done, "waitgroup-done"},
		{"WaitGroup.Wait", wg.Wait, "waitgroup-wait waitgroup-waited"},

		{"Once.Do", func() { once.Do(func() {}) }, "once-do once-run once-done"},
		{"Once.Do again", func() { once.Do(func() {}) }, "once-do once-done"},
		{"OnceFunc", onceFunc, "once-do once-run once-done"},
		{"OnceFunc again", onceFunc, "once-do once-done"},
		{"OnceValue", func() { onceValue() }, "once-do once-run once-done"},
		{"OnceValue again", func() { onceValue() }, "once-do once-done"},
		{"OnceValues", func() { onceValues() }, "once-do once-run once-done"},
		{"OnceValues again", func() { onceValues() }, "once-do once-done"},

		{"Map.Load", func() { sm.Load(0) }, "map-load"},
		{"Map.Store", func() { sm.Store(0, 1) }, "map-store"},
		{"Map.LoadOrStore", func() { sm.LoadOrStore(0, 2) }, "map-load-or-store"},
		{"Map.Swap", func() { sm.Swap(0, 2) }, "map-swap"},
		{"Map.CompareAndSwap", func() { sm.CompareAndSwap(0, 2, 3) }, "map-compare-and-swap"},
		{"Map.CompareAndDelete", func() { sm.CompareAndDelete(0, 2) }, "map-compare-and-delete"},
		{"Map.Range", func() { sm.Range(func(_, _ any) bool { return true }) }, "map-range map-range-entry map-range-entry"},
		{"Map.Range of one", func() { sm.Range(func(_, _ any) bool { return false }) }, "map-range map-range-entry"},
		{"Map.LoadAndDelete", func() { sm.LoadAndDelete(0) }, "map-load-and-delete"},
		{"Map.Delete", func() { sm.Delete(0) }, "map-delete"},
		{"Map.Clear", sm.Clear, "map-clear"},

		{"Pool.Put", func() { p.Put(1) }, "pool-put"},
		{"Pool.Get", func() { p.Get() }, "pool-get"},
	}
}

func TestOperationsPassTheirPoints(t *testing.T) {
	ops := operations()
	r := install(t)
	for _, op := range ops {
		op.do()
		if got, want := r.Take(), points(op.points); !slices.Equal(got, want) {
			t.Errorf("%s passes %q, want %q", op.name, got, want)
		}
	}
}

// points writes the names out.
func points(names string) []string {
	list := strings.Fields(names)
	for i, name := range list {
		list[i] = "sync/" + name
	}
	return list
}

// A declared point that nothing passes would be offered to plans, and armed there without
// effect.
func TestNoPointIsDead(t *testing.T) {
	passed := map[string]bool{
		"sync/cond-wait": true, "sync/cond-woken": true, // TestWaitPassesItsPoints
		"sync/waitgroup-go": true, // TestGoMakesATask
	}
	for _, op := range operations() {
		for _, name := range points(op.points) {
			passed[name] = true
		}
	}
	declared := 0
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "sync/") {
			declared++
			if !passed[p.Name] {
				t.Errorf("%s is declared, and no operation passes it", p.Name)
			}
		}
	}
	if declared != len(passed) {
		t.Errorf("%d points are declared, %d are passed", declared, len(passed))
	}
}

// install makes a recorder the engine until the test ends.
func install(t *testing.T) *recorder.Recorder {
	t.Helper()
	return faulty(recorder.Install(t))
}

// faulty declares that the points of this package can do more than disturb.
func faulty(r *recorder.Recorder) *recorder.Recorder {
	r.Faulty = true
	return r
}
