//go:build go1.27 || goexperiment.goroutineleakprofile

package leakprofile

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var profile = pprof.Lookup("goroutineleak")

var stanza = regexp.MustCompile(`(?s)^goroutine \d+ (?:gp=.* )?\[([^],]+) \(leaked\)[^]]*\]:\n.*?\n?(?:\S*/leakprofile\.(\S+)\(.*?\)\n\t\S+ .*?\n)?created by \S*/leakprofile\.(\w+)`)

// leaks returns for what the goroutines wait that the caller's test has started and that have leaked, in
// the order of the alphabet.
func leaks(t *testing.T) (waits []string) {
	t.Helper()
	var b bytes.Buffer
	if err := profile.WriteTo(&b, 2); err != nil {
		t.Fatal(err)
	}
	for s := range strings.SplitSeq(b.String(), "\n\n") {
		m := stanza.FindStringSubmatch(s)
		if name, _, _ := strings.Cut(t.Name(), "/"); m != nil && m[3] == name {
			waits = append(waits, m[1])
		}
	}
	slices.Sort(waits)
	return waits
}

// waits checks for what the goroutines wait that the caller's test has started and that have leaked, as soon
// as there are so many.
func waits(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	for range 200 {
		time.Sleep(time.Millisecond)
		got := leaks(t)
		if len(got) < len(want) {
			continue
		}
		if !slices.Equal(got, want) {
			t.Errorf("leaked: %q, want %q", got, want)
		}
		return
	}
	t.Errorf("leaked: %q, want %q", leaks(t), want)
}

// Locks of their own memory: those of 8 bytes share it with others.
type (
	mutex struct {
		sync.Mutex
		_ [10]*int
	}
	rwmutex struct {
		sync.RWMutex
		_ [10]*int
	}
)

func TestReceive(t *testing.T) {
	go func() { <-make(chan int) }()
	go func() { <-(chan int)(nil) }()
	go func() {
		for range make(chan *int, 3) {
		}
	}()
	waits(t, "chan receive", "chan receive (nil chan)", "chan receive")
}

func TestSend(t *testing.T) {
	go func() { make(chan int) <- 1 }()
	go func() { (chan int)(nil) <- 1 }()
	go func() {
		c := make(chan *int, 3)
		for {
			c <- nil
		}
	}()
	waits(t, "chan send", "chan send (nil chan)", "chan send")
}

func TestSelect(t *testing.T) {
	go func() {
		select {
		case make(chan int) <- 1:
		case <-make(chan int):
		}
	}()
	go func() { select {} }()
	go func() {
		select {
		case <-make(chan int):
		case <-held:
		}
	}()
	waits(t, "select", "select (no cases)")
}

var held = make(chan int)

func TestMutex(t *testing.T) {
	go func() {
		m := new(mutex)
		m.Lock()
		m.Lock()
	}()
	waits(t, "sync.Mutex.Lock")
}

// One of them holds the lock that the other one waits for.
func TestMutexes(t *testing.T) {
	func() {
		a, b, turn := new(mutex), new(mutex), make(chan int)
		go func() {
			a.Lock()
			turn <- 1
			b.Lock()
		}()
		go func() {
			b.Lock()
			<-turn
			a.Lock()
		}()
	}()
	waits(t, "sync.Mutex.Lock", "sync.Mutex.Lock")
}

func TestRWMutex(t *testing.T) {
	go func() {
		m := new(rwmutex)
		m.Lock()
		m.RLock()
	}()
	go func() {
		m := new(rwmutex)
		m.Lock()
		m.Lock()
	}()
	go func() {
		m := new(rwmutex)
		m.RLock()
		m.Lock()
	}()
	waits(t, "sync.RWMutex.RLock", "sync.Mutex.Lock", "sync.RWMutex.Lock")
}

// A lock on the stack is no operation.
func TestStack(t *testing.T) {
	go func() {
		var m mutex
		m.Lock()
		m.Lock()
	}()
	waits(t, "sync.Mutex.Lock")
}

func TestOnce(t *testing.T) {
	go func() {
		o := new(struct {
			sync.Once
			_ [10]*int
		})
		o.Do(func() { o.Do(func() {}) })
	}()
	waits(t, "sync.Mutex.Lock")
}

func TestWaitGroup(t *testing.T) {
	go func() {
		g := new(struct {
			sync.WaitGroup
			_ [10]*int
		})
		g.Add(1)
		g.Wait()
	}()
	waits(t, "sync.WaitGroup.Wait")
}

func TestCond(t *testing.T) {
	go func() {
		c := sync.NewCond(new(mutex))
		c.L.Lock()
		c.Wait()
	}()
	waits(t, "sync.Cond.Wait")
}

func TestContext(t *testing.T) {
	go func() {
		ctx, cancel := context.WithCancel(context.Background())
		<-ctx.Done()
		cancel()
	}()
	waits(t, "chan receive")
}

// What an engine and a test's harness wait for is no leak, nor is what others can end.
func TestNone(t *testing.T) {
	waits(t)
	if n := profile.Count(); n != 0 {
		t.Errorf("%d goroutines have leaked", n)
	}
}

// Before the profile is taken there are no leaks of others.
func TestCount(t *testing.T) {
	if n := profile.Count(); n != 0 {
		t.Errorf("%d goroutines have leaked", n)
	}
	go func() { select {} }()
	waits(t, "select (no cases)")
	if n := profile.Count(); n != 1 {
		t.Errorf("%d goroutines have leaked, want 1", n)
	}
}

// A goroutine that waits for a lock which others can unlock has not leaked, and locks it later.
func TestHeldLocks(t *testing.T) {
	m, rw := new(mutex), new(rwmutex)
	m.Lock()
	rw.Lock()
	var g sync.WaitGroup
	n := 0
	for range 3 {
		g.Go(func() {
			m.Lock()
			n++
			m.Unlock()
		})
		g.Go(func() {
			rw.RLock()
			rw.RUnlock()
		})
		g.Go(func() {
			rw.Lock()
			rw.Unlock()
		})
	}
	waits(t)
	waits(t)
	m.Unlock()
	rw.Unlock()
	g.Wait()
	if n != 3 {
		t.Error(n)
	}
}

// Some have leaked and others have not, and the profile is taken again when the latter have gone on.
func TestMixed(t *testing.T) {
	m := new(mutex)
	m.Lock()
	var g sync.WaitGroup
	g.Go(func() {
		m.Lock()
		m.Unlock()
	})
	for range 2 {
		go func() {
			m := new(mutex)
			m.Lock()
			m.Lock()
		}()
	}
	waits(t, "sync.Mutex.Lock", "sync.Mutex.Lock")
	m.Unlock()
	g.Wait()
	waits(t, "sync.Mutex.Lock", "sync.Mutex.Lock")
	runtime.GC()
	waits(t, "sync.Mutex.Lock", "sync.Mutex.Lock")
}

// The same, in the form for tools.
func TestRecords(t *testing.T) {
	before := count(t)
	for range 3 {
		go func() {
			m := new(mutex)
			m.Lock()
			m.Lock()
		}()
	}
	go func() { <-make(chan int) }()
	var b bytes.Buffer
	for range 200 {
		time.Sleep(time.Millisecond)
		b.Reset()
		if err := profile.WriteTo(&b, 1); err != nil {
			t.Fatal(err)
		}
		if profile.Count() >= before+4 {
			break
		}
	}
	if n := profile.Count() - before; n != 4 {
		t.Errorf("%d goroutines have leaked, want 4", n)
	}
	if !regexp.MustCompile(`(?m)^3 @ (0x\w+ ?)+\n(#.*\n)*#.*sync\.\(\*Mutex\)\.Lock\+.*\n#.*leakprofile\.TestRecords\.func1\+`).MatchString(b.String()) {
		t.Errorf("%s", b.String())
	}
}

func count(t *testing.T) int {
	t.Helper()
	if err := profile.WriteTo(io.Discard, 0); err != nil {
		t.Fatal(err)
	}
	return profile.Count()
}

// What waits for the time, for what is outside, for a coroutine, or for what one of these can reach, has not leaked.
func TestOthers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	go func() { <-ctx.Done() }()
	go func() { time.Sleep(time.Hour) }()
	go func() { <-time.After(time.Hour) }()
	func() {
		timer := make(chan int)
		time.AfterFunc(time.Hour, func() { timer <- 1 })
		go func() { <-timer }()
	}()
	ticker := time.NewTicker(time.Hour)
	go func() {
		for range ticker.C {
		}
	}()
	func() {
		chain := make(chan int)
		go func() {
			time.Sleep(time.Hour)
			chain <- 1
		}()
		go func() {
			next := make(chan int)
			go func() {
				<-chain
				next <- 1
			}()
			<-next
		}()
	}()
	next, stop := iter.Pull(func(yield func(int) bool) {
		c := make(chan int, 1)
		go func() { <-c }()
		for yield(1) {
			c <- 1
		}
	})
	next()
	defer stop()
	waits(t)
}

func TestNetwork(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan int)
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err == nil {
			c.Close()
		}
	}()
	go func() { <-done }()
	go func() { <-make(chan int) }()
	waits(t, "chan receive")
	l.Close()
	<-done
}

// The test's own goroutine and those of subtests wait for what others do.
func TestParallel(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := make(chan int)
			go func() {
				defer close(done)
				if n := count(t); n < 0 {
					t.Error(n)
				}
			}()
			<-done
		})
	}
	t.Run("c", func(t *testing.T) {
		go func() { <-t.Context().Done() }()
		waits(t)
	})
}

// Two that take the profile do so one after the other.
func TestTwice(t *testing.T) {
	var g sync.WaitGroup
	go func() { <-make(chan int) }()
	for range 2 {
		g.Go(func() {
			waits(t, "chan receive")
		})
	}
	g.Wait()
}

// Its writer waits, and others go on meanwhile.
func TestWriter(t *testing.T) {
	m := new(mutex)
	m.Lock()
	var g sync.WaitGroup
	for range 2 {
		g.Go(func() {
			m.Lock()
			m.Unlock()
		})
	}
	go func() {
		m := new(mutex)
		m.Lock()
		m.Lock()
	}()
	r, w := io.Pipe()
	go func() {
		waits(t, "sync.Mutex.Lock")
		for debug := range 3 {
			profile.WriteTo(w, debug)
		}
		w.Close()
	}()
	b := make([]byte, 1)
	if _, err := r.Read(b); err != nil {
		t.Fatal(err)
	}
	m.Unlock()
	g.Wait()
	text, err := io.ReadAll(r)
	if err != nil || !bytes.Contains(text, []byte("sync.Mutex.Lock (leaked)")) {
		t.Errorf("%v\n%s", err, text)
	}
}

// A goroutine that takes it is left when the test has ended.
func TestLeft(t *testing.T) {
	_, w := io.Pipe()
	started := make(chan int)
	go func() {
		m := new(mutex)
		m.Lock()
		m.Lock()
	}()
	go func() {
		close(started)
		profile.WriteTo(w, 2)
	}()
	<-started
	time.Sleep(time.Millisecond)
}

var background = make(chan chan int)

func init() {
	go func() {
		for c := range background {
			c <- 1
		}
	}()
}

// A goroutine that waits for one outside has not leaked, and neither has that one.
func TestBackground(t *testing.T) {
	waits(t)
	c := make(chan int, 1)
	background <- c
	<-c
	waits(t)
}

// A goroutine of a bubble that waits for a channel of the bubble has not leaked, as package synctest sees to those.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() { <-c }()
		go func() { <-c }()
		waits(t)
		m := new(mutex)
		m.Lock()
		go func() {
			m.Lock()
			m.Unlock()
		}()
		runtime.Gosched()
		if got := leaks(t); len(got) != 0 {
			t.Errorf("leaked: %q", got)
		}
		m.Unlock()
		close(c)
	})
}
