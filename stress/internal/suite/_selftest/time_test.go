package selftest

import (
	"context"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unique"
)

// What began before an execution.
var (
	loaded  = time.Now()
	ticker  = time.NewTicker(time.Second)
	stopped = time.NewTimer(time.Second)
	fired   = make(chan bool, 1)
	later   = time.AfterFunc(time.Hour, func() { fired <- true })
	begun   *time.Timer
)

func TestMain(m *testing.M) {
	stopped.Stop()
	begun = time.NewTimer(30 * time.Second)
	os.Exit(m.Run())
}

func TestOutside(t *testing.T) {
	start := time.Now()
	after := func(want time.Duration) {
		if d := time.Since(start).Round(time.Millisecond); d != want {
			t.Fatalf("after %v, want %v", d, want)
		}
	}
	if d := time.Since(loaded); d <= 0 || d > time.Minute {
		t.Error(d)
	}
	<-ticker.C
	after(time.Second)
	<-begun.C
	after(30 * time.Second)
	select {
	case <-stopped.C:
		t.Error("a stopped timer fires")
	default:
	}
	if !later.Stop() {
		t.Error("it has run")
	}
	later.Reset(time.Second)
	stopped.Reset(time.Minute)
	<-fired
	after(31 * time.Second)
	ticker.Reset(time.Hour)
	<-stopped.C
	after(90 * time.Second)
	ticker.Stop()
}

// Each look at the clock is later than the one before.
func TestReadings(t *testing.T) {
	a, b, c := time.Now(), time.Now(), time.Now()
	if b.Sub(a) <= 0 || b.Sub(a) != c.Sub(b) {
		t.Error(b.Sub(a), c.Sub(b))
	}
	var tv syscall.Timeval
	if err := syscall.Gettimeofday(&tv); err != nil || time.Unix(0, tv.Nano()).Sub(a).Abs() > time.Millisecond {
		t.Error(err, "another time by a system call")
	}
}

func TestSleep(t *testing.T) {
	start := time.Now()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			time.Sleep(time.Duration(i/2+1) * time.Hour)
			shows(uint64(i))
		})
	}
	wg.Wait()
	if d := time.Since(start); d < time.Hour || d > 3*time.Hour {
		t.Error(d)
	}
}

func TestTimers(t *testing.T) {
	fired := make(chan int, 4)
	f := time.AfterFunc(time.Millisecond, func() { fired <- 1 })
	timer := time.NewTimer(2 * time.Millisecond)
	ticker := time.NewTicker(3 * time.Millisecond)
	defer ticker.Stop()
	for range 3 {
		select {
		case x := <-fired:
			shows(uint64(x))
		case <-timer.C:
			shows(2)
			f.Reset(time.Millisecond)
		case <-ticker.C:
			shows(3)
			timer.Reset(time.Millisecond)
		}
	}
	if f.Stop() {
		shows(4)
	}
	timer.Stop()
}

// A worker is stopped between two looks at its queue.
type worker struct {
	mu    sync.Mutex
	queue []int
	flush *time.Timer
	out   chan int
}

func (w *worker) put(x int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, x)
	if w.flush == nil {
		w.flush = time.AfterFunc(time.Second, w.send)
	}
}

func (w *worker) send() {
	w.mu.Lock()
	queue := w.queue
	w.queue = nil
	w.mu.Unlock()
	for _, x := range queue {
		w.out <- x
	}
}

func (w *worker) close() {
	w.flush.Stop()
	w.send()
	close(w.out)
}

// A timer fires early, while the worker is closed.
func TestTimerBesideClose(t *testing.T) {
	w := &worker{out: make(chan int, 4)}
	w.put(1)
	w.put(2)
	w.close()
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	done := make(chan bool)
	go func() {
		time.Sleep(time.Second)
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		shows(9)
	}
}

func TestBubble(t *testing.T) {
	time.Sleep(time.Second)
	synctest.Test(t, func(t *testing.T) {
		n := 0
		go func() {
			time.Sleep(time.Hour)
			n++
		}()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		shows(uint64(n))
	})
	time.Sleep(time.Second)
}

var group sync.WaitGroup

// What all executions use is of no bubble.
func TestGroupKept(t *testing.T) {
	group.Add(1)
	group.Done()
}

// What the standard library does inside is no step, in packages that only tests import, too.
func TestStandard(t *testing.T) {
	log.SetOutput(io.Discard)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			log.Print("x")
			strings.NewReplacer("a", "b").Replace("cab")
			unique.Make("u")
		})
	}
	wg.Wait()
}
