// Package background has goroutines that its initialisation and TestMain start, and that wait for time to pass.
package background

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const period = 10 * time.Millisecond

// A cache forgets what is older than three periods.
type cache struct {
	mu      sync.Mutex
	entries map[string]time.Time
}

func newCache() *cache {
	c := &cache{entries: map[string]time.Time{}}
	go func() {
		for range time.Tick(period) {
			c.forget()
		}
	}()
	return c
}

func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, since := range c.entries {
		if time.Since(since) > 3*period {
			delete(c.entries, key)
		}
	}
}

func (c *cache) set(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = time.Now()
}

func (c *cache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

var (
	global = newCache()
	slept  atomic.Int64
	fired  atomic.Int64
	now    atomic.Int64 // as a logger keeps it
	polled atomic.Int64
	beats  atomic.Int64
	asked  = make(chan chan bool)
	again  *time.Timer
)

func init() {
	go func() {
		for {
			time.Sleep(period)
			slept.Add(1)
			now.Store(time.Now().UnixNano())
		}
	}()
	again = time.AfterFunc(time.Hour, func() {
		fired.Add(1)
		again.Reset(period)
	})
	again.Reset(period)
	go func() { // looks at a channel, and does not wait for it
		for ticker := time.NewTicker(period); ; time.Sleep(period / 2) {
			select {
			case <-ticker.C:
				polled.Add(1)
			default:
			}
		}
	}()
	go func() { // answers late
		for answer := range asked {
			answer <- (<-time.After(time.Minute)).After(time.Time{})
		}
	}()
}

func TestMain(m *testing.M) {
	stop := make(chan bool)
	go func() {
		for ticker := time.NewTicker(time.Second); ; {
			select {
			case <-ticker.C:
				beats.Add(1)
			case <-stop:
				return
			}
		}
	}()
	code := m.Run()
	close(stop)
	os.Exit(code)
}

func TestExpires(t *testing.T) {
	global.set("x")
	time.Sleep(20 * period)
	if n := global.len(); n != 0 {
		t.Error(n, "entries are left")
	}
}

func TestExpiresEventually(t *testing.T) {
	global.set("x")
	for i := 0; global.len() != 0; i++ {
		if i == 100 {
			t.Fatal("it stays")
		}
		time.Sleep(period)
	}
}

// No entry is as old as that.
func TestFoundEarly(t *testing.T) {
	global.set("x")
	time.Sleep(2 * period)
	if n := global.len(); n != 0 {
		t.Error("it has not expired yet")
	}
}

func TestGoesOn(t *testing.T) {
	counts := []*atomic.Int64{&slept, &fired, &polled, &beats}
	least := []int64{50, 50, 50, 1}
	var before []int64
	for _, n := range counts {
		before = append(before, n.Load())
	}
	time.Sleep(100 * period)
	for i, n := range counts {
		if n.Load() < before[i]+least[i] {
			t.Error("count", i, "stands")
		}
	}
}

func TestKeepsTime(t *testing.T) {
	time.Sleep(50 * period)
	if d := time.Since(time.Unix(0, now.Load())); d < -period || d > 20*period {
		t.Error("the time that is kept is", d, "old")
	}
}

// Nothing else is to come: what the goroutine outside waits for does.
func TestAnswers(t *testing.T) {
	answer, since := make(chan bool), time.Now()
	asked <- answer
	<-answer
	if d := time.Since(since); d < time.Minute {
		t.Error("it has answered after", d)
	}
}

// So does what others wait for in a loop.
func TestSpins(t *testing.T) {
	for n := beats.Load(); beats.Load() == n; {
		runtime.Gosched()
	}
	for n := slept.Load(); slept.Load() == n; {
	}
}
