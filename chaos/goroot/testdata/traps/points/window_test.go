package points

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// before fails if something happens between plain code and the operation that follows it. interfere reports
// whether the operation had not begun, and operate whether it has seen what interfere did.
func before(t *testing.T, operate, interfere func() bool) {
	begun, seen := false, false
	done := make(chan bool)
	go func() {
		begun = true
		seen = operate()
		done <- true
	}()
	runtime.Gosched()
	interfered := begun && interfere()
	<-done
	if interfered && seen {
		t.Error("between plain code and the operation that follows it")
	}
}

// writes is before with an operation that changes what observe returns.
func writes(t *testing.T, operate func(), unchanged func() bool) {
	before(t, func() bool { operate(); return true }, unchanged)
}

// reads is before with an operation that observes what change does.
func reads(t *testing.T, changed func() bool, change func()) {
	before(t, changed, func() bool { change(); return true })
}

func TestFoundBeforeRUnlock(t *testing.T) {
	var mu sync.RWMutex
	mu.RLock()
	writes(t, mu.RUnlock, func() bool { return !mu.TryLock() })
}

func TestFoundBeforeWUnlock(t *testing.T) {
	var mu sync.RWMutex
	mu.Lock()
	writes(t, mu.Unlock, func() bool { return !mu.TryRLock() })
}

func TestFoundBeforeTryRLock(t *testing.T) {
	var mu sync.RWMutex
	writes(t, func() { mu.TryRLock() }, mu.TryLock)
}

func TestFoundBeforeTryWLock(t *testing.T) {
	var mu sync.RWMutex
	writes(t, func() { mu.TryLock() }, mu.TryRLock)
}

// Wait may return before the goroutine has called Add.
func TestFoundBeforeAdd(t *testing.T) {
	var wg sync.WaitGroup
	finished := false
	before(t, func() bool {
		wg.Add(1)
		runtime.Gosched()
		finished = true
		wg.Done()
		return true
	}, func() bool { wg.Wait(); return !finished })
}

// The counter is zero: Wait does not wait.
func TestFoundBeforeWait(t *testing.T) {
	var wg sync.WaitGroup
	waited := false
	writes(t, func() { wg.Wait(); waited = true }, func() bool { return !waited })
}

// Who begins to sleep first wakes first.
func TestFoundBeforeSleep(t *testing.T) {
	woken := false
	before(t, func() bool {
		time.Sleep(time.Millisecond)
		woken = true
		return true
	}, func() bool {
		time.Now() // a nanosecond passes
		time.Sleep(time.Millisecond)
		return !woken
	})
}

func TestFoundBeforeValueLoad(t *testing.T) {
	var v atomic.Value
	reads(t, func() bool { return v.Load() != nil }, func() { v.Store(1) })
}

func TestFoundBeforeMapLoad(t *testing.T) {
	readsMap(t, func(m *sync.Map) bool { v, _ := m.Load(1); return v == 2 })
}

func TestFoundBeforeMapRange(t *testing.T) {
	readsMap(t, func(m *sync.Map) (changed bool) {
		m.Range(func(_, value any) bool { changed = value == 2; return false })
		return changed
	})
}

func TestFoundBeforeMapLoadOrStore(t *testing.T) {
	readsMap(t, func(m *sync.Map) bool { v, _ := m.LoadOrStore(1, 3); return v == 2 })
}

func TestFoundBeforeMapCompareAndSwap(t *testing.T) {
	readsMap(t, func(m *sync.Map) bool { return m.CompareAndSwap(1, 2, 3) })
}

func TestFoundBeforeMapCompareAndDelete(t *testing.T) {
	readsMap(t, func(m *sync.Map) bool { return m.CompareAndDelete(1, 2) })
}

// readsMap is reads of the only entry of a map.
func readsMap(t *testing.T, changed func(*sync.Map) bool) {
	var m sync.Map
	m.Store(1, 1)
	reads(t, func() bool { return changed(&m) }, func() { m.Store(1, 2) })
}

func TestFoundBeforeMapLoadAndDelete(t *testing.T) {
	var m sync.Map
	reads(t, func() bool { _, loaded := m.LoadAndDelete(1); return loaded }, func() { m.Store(1, 1) })
}

func TestFoundBeforeMapDelete(t *testing.T) {
	var m sync.Map
	reads(t, func() bool { m.Delete(1); _, ok := m.Load(1); return !ok }, func() { m.Store(1, 1) })
}

func TestFoundBeforeMapClear(t *testing.T) {
	var m sync.Map
	m.Store(1, 1)
	writes(t, m.Clear, func() bool { _, ok := m.Load(1); return ok })
}
