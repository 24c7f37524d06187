package sync_test

import (
	"errors"
	"maps"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/sync"
)

func TestWaitGroupWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Wait() // of the zero value: at once
		wg.Add(2)
		waited := false
		var end sync.WaitGroup
		end.Go(func() {
			wg.Wait()
			waited = true
		})
		wg.Done()
		synctest.Wait()
		if waited {
			t.Error("Wait returned with one task counted")
		}
		wg.Done()
		end.Wait()
		if !waited {
			t.Error("the end of a task was not waited for")
		}
	})
}

func TestWaitGroupCountsOffWhatExits(t *testing.T) {
	var wg sync.WaitGroup
	ran := false
	wg.Go(func() {
		ran = true
		runtime.Goexit()
	})
	wg.Wait() // for ever, if Goexit were not counted off
	if !ran {
		t.Error("the function did not run")
	}
}

func TestWaitGroupPanicsBelowZero(t *testing.T) {
	var wg sync.WaitGroup
	if v := panicOf(wg.Done); v != "sync: negative WaitGroup counter" {
		t.Errorf("Done of the zero value panics with %v", v)
	}
}

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestOnceCallsOnce(t *testing.T) {
	var once sync.Once
	calls := 0
	for range 3 {
		once.Do(func() { calls++ })
	}
	if calls != 1 {
		t.Errorf("%d calls, want 1", calls)
	}

	var bad sync.Once
	if v := panicOf(func() { bad.Do(func() { panic("once") }) }); v != "once" {
		t.Errorf("Do panics with %v, want once", v)
	}
	bad.Do(func() { t.Error("called again after a panic") })
}

func TestOnceFunctions(t *testing.T) {
	calls := 0
	f := sync.OnceFunc(func() { calls++ })
	v := sync.OnceValue(func() int { calls++; return 7 })
	failure := errors.New("failure")
	vs := sync.OnceValues(func() (string, error) { calls++; return "v", failure })
	for range 2 {
		f()
		if got := v(); got != 7 {
			t.Errorf("OnceValue: %d, want 7", got)
		}
		if got, err := vs(); got != "v" || err != failure {
			t.Errorf("OnceValues: %q, %v", got, err)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls of three functions", calls)
	}
	for name, f := range map[string]func(){
		"OnceFunc":   sync.OnceFunc(func() { panic("again") }),
		"OnceValue":  func(f func() int) func() { return func() { f() } }(sync.OnceValue(func() int { panic("again") })),
		"OnceValues": func(f func() (int, int)) func() { return func() { f() } }(sync.OnceValues(func() (int, int) { panic("again") })),
	} {
		for i := range 2 {
			if v := panicOf(f); v != "again" {
				t.Errorf("%s, call %d: panics with %v, want again", name, i, v)
			}
		}
	}
}

func TestMap(t *testing.T) {
	var m sync.Map
	is := func(what string, v any, ok bool, wantV any, wantOK bool) {
		t.Helper()
		if v != wantV || ok != wantOK {
			t.Errorf("%s: %v, %t; want %v, %t", what, v, ok, wantV, wantOK)
		}
	}
	v, ok := m.Load("a")
	is("Load of nothing", v, ok, nil, false)
	m.Store("a", 1)
	v, ok = m.Load("a")
	is("Load", v, ok, 1, true)
	v, ok = m.LoadOrStore("a", 2)
	is("LoadOrStore of a", v, ok, 1, true)
	v, ok = m.LoadOrStore("b", 2)
	is("LoadOrStore of b", v, ok, 2, false)
	v, ok = m.Swap("b", 3)
	is("Swap", v, ok, 2, true)
	is("CompareAndSwap of a stale value", nil, m.CompareAndSwap("b", 2, 4), nil, false)
	is("CompareAndSwap", nil, m.CompareAndSwap("b", 3, 4), nil, true)
	is("CompareAndDelete of a stale value", nil, m.CompareAndDelete("b", 3), nil, false)
	content(t, &m, map[any]any{"a": 1, "b": 4})
	is("CompareAndDelete", nil, m.CompareAndDelete("b", 4), nil, true)
	v, ok = m.LoadAndDelete("a")
	is("LoadAndDelete", v, ok, 1, true)
	content(t, &m, map[any]any{})
	m.Store("c", 5)
	m.Store("d", 6)
	m.Delete("c")
	content(t, &m, map[any]any{"d": 6})
	m.Store("e", 7)
	m.Clear()
	content(t, &m, map[any]any{})
}

func content(t *testing.T, m *sync.Map, want map[any]any) {
	t.Helper()
	got := make(map[any]any)
	m.Range(func(k, v any) bool { got[k] = v; return true })
	if !maps.Equal(got, want) {
		t.Errorf("the map holds %v, want %v", got, want)
	}
	shown := 0
	m.Range(func(k, v any) bool { shown++; return false })
	if shown > 1 {
		t.Errorf("Range showed %d entries after false", shown)
	}
}

func TestPool(t *testing.T) {
	var p sync.Pool
	if v := p.Get(); v != nil {
		t.Errorf("Get of the zero value: %v, want nil", v)
	}
	fresh, used := new(int), new(int)
	p.New = func() any { return fresh }
	if v := p.Get(); v != any(fresh) {
		t.Errorf("Get: %p, want what New makes", v)
	}
	// A pool may lose what is put into it, and under -race does so on purpose;
	// this one must not lose it always.
	for range 1000 {
		p.Put(used)
		if p.Get() == any(used) {
			return
		}
	}
	t.Error("of 1000 objects put into the pool none came out")
}

// These tests hold in both builds: with no engine installed, the drop-ins are the
// standard types. A synctest bubble knows when all goroutines wait, so that
// "nothing happens" needs no clock.

var (
	_ sync.Locker = (*sync.Mutex)(nil)
	_ sync.Locker = (*sync.RWMutex)(nil)
)

func TestMutexExcludes(t *testing.T) {
	var m sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 4 {
		wg.Go(func() {
			for range 100 {
				m.Lock()
				n++ // under -race: the lock orders it
				m.Unlock()
			}
		})
	}
	wg.Wait()
	if n != 400 {
		t.Errorf("n = %d, want 400", n)
	}
	if !m.TryLock() {
		t.Fatal("TryLock of a free mutex failed")
	}
	if m.TryLock() {
		t.Error("TryLock of a held mutex succeeded")
	}
	m.Unlock()
}

func TestRWMutexSharesAndExcludes(t *testing.T) {
	var rw sync.RWMutex
	try := func(wantRead, wantWrite bool, state string) {
		t.Helper()
		read := rw.TryRLock()
		if read {
			rw.RUnlock()
		}
		write := rw.TryLock()
		if write {
			rw.Unlock()
		}
		if read != wantRead || write != wantWrite {
			t.Errorf("%s: TryRLock %t, TryLock %t; want %t, %t", state, read, write, wantRead, wantWrite)
		}
	}
	try(true, true, "free")
	rw.RLock()
	try(true, false, "one reader")
	reader := rw.RLocker()
	reader.Lock()
	rw.RUnlock()
	try(true, false, "one reader, by RLocker")
	reader.Unlock()
	try(true, true, "free again")
	rw.Lock()
	try(false, false, "one writer")
	rw.Unlock()
	try(true, true, "free at last")
}

// waiters starts n goroutines that wait on c once and count themselves in *woken
// under c.L.
func waiters(c *sync.Cond, n int, woken *int) {
	for range n {
		go func() {
			c.L.Lock()
			defer c.L.Unlock()
			c.Wait()
			*woken++
		}()
	}
	synctest.Wait()
}

// expect says how many waiters are awake once all is quiet.
func expect(t *testing.T, c *sync.Cond, woken *int, want int, after string) {
	t.Helper()
	synctest.Wait()
	c.L.Lock()
	defer c.L.Unlock()
	if *woken != want {
		t.Errorf("after %s %d waiters are awake, want %d", after, *woken, want)
	}
}

func TestCondWakesOneOrAll(t *testing.T) {
	var m sync.Mutex
	for name, c := range map[string]*sync.Cond{"NewCond": sync.NewCond(&m), "literal": {L: &m}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				woken := 0
				c.Signal() // no waiter: lost, as it should be
				waiters(c, 4, &woken)
				expect(t, c, &woken, 0, "nothing")
				c.Signal()
				expect(t, c, &woken, 1, "Signal")
				c.Broadcast()
				expect(t, c, &woken, 4, "Broadcast")
			})
		})
	}
}

func TestCondServesReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rw sync.RWMutex
		c := sync.NewCond(rw.RLocker())
		var ended sync.WaitGroup
		for range 2 {
			ended.Go(func() {
				c.L.Lock()
				c.Wait()
				c.L.Unlock()
			})
		}
		synctest.Wait()
		if !rw.TryLock() {
			t.Fatal("waiting readers hold the lock")
		}
		rw.Unlock()
		c.Broadcast()
		ended.Wait()
	})
}
