package sync_test

import (
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/sync"
)

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
