package driver

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// What is here stands for code under test, or for a package of helpers: its timers fire early. Those of a file
// of tests do not, or by little.

// closeAll calls functions under a watchdog, as raft's tests do.
func closeAll(d time.Duration, late func(), fs ...func()) {
	dog := time.AfterFunc(d, late)
	defer dog.Stop()
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// within reports by late, on a goroutine of its own, that f takes too long.
func within(d time.Duration, late func(), f func()) {
	done := make(chan bool)
	var mu sync.Mutex
	go func() {
		select {
		case <-done:
		case <-time.After(d):
			mu.Lock()
			defer mu.Unlock()
			late()
		}
	}()
	f()
	close(done)
}

func exit()  { os.Exit(2) }
func fatal() { log.New(os.Stderr, "", 0).Fatal("it takes too long") }

// receive is what a helper of tests does.
func receive(t testing.TB, c chan int) {
	select {
	case <-c:
	case <-time.After(2 * time.Second):
		t.Error("timeout")
	}
}

// eventually is require.Eventually.
func eventually(t testing.TB, condition func() bool) {
	c := make(chan bool, 1)
	timer := time.NewTimer(2 * time.Second)
	defer timer.Stop()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for tick := ticker.C; ; {
		select {
		case <-timer.C:
			t.Error("never")
			return
		case <-tick:
			tick = nil
			go func() { c <- condition() }()
		case ok := <-c:
			if ok {
				return
			}
			tick = ticker.C
		}
	}
}

// call waits for an answer as long as its context lasts.
func call(ctx context.Context, c chan int) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask is call for a value; there is none after an error.
func ask(ctx context.Context, c chan int) (any, error) {
	if err := call(ctx, c); err != nil {
		return nil, err
	}
	return new(int), nil
}

// use is code under test that looks at no error.
func use(ctx context.Context, c chan int) int {
	v, _ := ask(ctx, c)
	return *v.(*int)
}

// askReader is ask for a reader.
func askReader(ctx context.Context, c chan int) (io.Reader, error) {
	if err := call(ctx, c); err != nil {
		return nil, err
	}
	return strings.NewReader("x"), nil
}

// readAll is code under test that looks at no error.
func readAll(ctx context.Context, c chan int) ([]byte, error) {
	r, _ := askReader(ctx, c)
	return io.ReadAll(r)
}

// fill is code under test that repeats what it has as often as there is room after an answer.
func fill(ctx context.Context, c chan int) string {
	room := 0
	if call(ctx, c) != nil {
		room--
	}
	return strings.Repeat("x", room)
}

// retry calls f again and again, later each time.
func retry(f func() error) (err error) {
	for d := 10 * time.Millisecond; d < 5*time.Second; d *= 2 {
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(d)
	}
	return err
}

var errBusy = errors.New("busy")

// beats calls dead if a heart misses three beats.
func beats(stop chan bool, dead func()) {
	monitor := time.AfterFunc(3*time.Second, dead)
	defer monitor.Stop()
	beat := time.NewTicker(time.Second)
	defer beat.Stop()
	for {
		select {
		case <-stop:
			return
		case <-beat.C:
			monitor.Reset(3 * time.Second)
		}
	}
}

// A cache forgets its map after a time, as if it were idle, and fails after that.
type cache struct {
	mu sync.Mutex
	m  map[int]bool
}

func newCache(idle time.Duration, rounds int) *cache {
	c := &cache{m: map[int]bool{}}
	go func() {
		for range rounds {
			time.Sleep(idle)
		}
		c.mu.Lock()
		c.m = nil
		c.mu.Unlock()
	}()
	return c
}

func (c *cache) put(keys ...int) {
	for _, k := range keys {
		c.mu.Lock()
		c.m[k] = true
		c.mu.Unlock()
	}
}

// flush has f send a batch after a time.
func flush(d time.Duration, f func()) { time.AfterFunc(d, f) }

// A flusher is zap's BufferedWriteSyncer before 1.26: Stop waits, under the lock, for a loop that locks.
type flusher struct {
	mu         sync.Mutex
	stop, done chan bool
}

func newFlusher(loop func(f *flusher)) *flusher {
	f := &flusher{stop: make(chan bool), done: make(chan bool)}
	go func() {
		defer close(f.done)
		loop(f)
	}()
	return f
}

func (f *flusher) flush() {
	f.mu.Lock()
	defer f.mu.Unlock()
}

func (f *flusher) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.stop)
	<-f.done
}

const flushInterval = 30 * time.Second // zap's

func byTicker(f *flusher) {
	ticker := time.NewTicker(flushInterval)
	defer ticker.Stop()
	f.on(func() <-chan time.Time { return ticker.C })
}

func byReset(f *flusher) {
	timer := time.NewTimer(flushInterval)
	f.on(func() <-chan time.Time { timer.Reset(flushInterval); return timer.C })
}

func byAfter(f *flusher) {
	f.on(func() <-chan time.Time { return time.After(flushInterval) })
}

func (f *flusher) on(tick func() <-chan time.Time) {
	for {
		select {
		case <-tick():
			f.flush()
		case <-f.stop:
			return
		}
	}
}

func bySleep(f *flusher) {
	for {
		select {
		case <-f.stop:
			return
		default:
		}
		time.Sleep(flushInterval)
		f.flush()
	}
}

// byItself is a timer whose function arms the next one.
func byItself(f *flusher) {
	ended := make(chan bool)
	var flush func()
	flush = func() {
		f.flush()
		select {
		case <-f.stop:
			close(ended)
		default:
			time.AfterFunc(flushInterval, flush)
		}
	}
	time.AfterFunc(flushInterval, flush)
	<-ended
}

// transfer has two periodic jobs, which take two locks in different orders.
func transfer(stop chan bool) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	job := func(d time.Duration, first, second *sync.Mutex) func() {
		return func() {
			ticker := time.NewTicker(d)
			defer ticker.Stop()
			for {
				select {
				case <-stop:
					return
				case <-ticker.C:
					first.Lock()
					second.Lock()
					second.Unlock()
					first.Unlock()
				}
			}
		}
	}
	wg.Go(job(30*time.Second, &a, &b))
	wg.Go(job(30*time.Second, &b, &a))
	wg.Wait()
}

// expire ends a session at a time, or when it is closed: both may close the channel.
func expire(d time.Duration, work func()) {
	c := make(chan bool)
	timer := time.AfterFunc(d, func() { close(c) })
	work()
	timer.Stop()
	close(c)
}

// finish counts down twice if the timer is late to be stopped.
func finish(d time.Duration, work func()) {
	var wg sync.WaitGroup
	wg.Add(1)
	timer := time.AfterFunc(d, wg.Done)
	work()
	timer.Stop()
	wg.Done()
	wg.Wait()
}

// drain stops a timer as was right before Go 1.23 if nothing had received from it.
func drain(c chan int) {
	timer := time.NewTimer(5 * time.Second)
	select {
	case <-c:
	case <-timer.C:
	}
	if !timer.Stop() {
		<-timer.C
	}
}

// give leaves a worker behind that nothing receives from, and then waits for it.
func give(ctx context.Context) {
	c := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() { c <- 1 })
	call(ctx, c) //nolint:errcheck // it has an answer or not
	wg.Wait()
}

func giveFor(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	give(ctx)
}
