package selftest

import (
	"context"
	"io"
	"iter"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"sync"
	"syscall"
	"testing"
	"time"
	"weak"
)

func TestChannels(t *testing.T) {
	c, done := make(chan int, 1), make(chan bool)
	go func() {
		defer close(done)
		for x := range c {
			shows(uint64(x))
		}
	}()
	for i := range 3 {
		select {
		case c <- i:
		default:
			shows(5)
		}
	}
	close(c)
	<-done
}

func TestSelect(t *testing.T) {
	a, b := make(chan int, 4), make(chan int, 4)
	for range 4 {
		a <- 1
		b <- 2
	}
	for range 6 {
		select {
		case x := <-a:
			shows(uint64(x))
		case x := <-b:
			shows(uint64(x))
		}
	}
}

// A loop of attempts waits for others.
func TestAttempts(*testing.T) {
	c, d := make(chan bool), make(chan bool)
	go func() { c <- true }()
	for {
		select {
		case <-c:
			return
		case d <- true:
			return
		default:
		}
	}
}

func TestFoundDeadlock(t *testing.T) {
	var a, b sync.Mutex
	done := make(chan bool)
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
		close(done)
	}()
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
	<-done
}

// The collector finds that nothing can wake main, though another goroutine goes on.
func TestFoundLost(t *testing.T) {
	go func() {
		for range time.Tick(time.Second) {
		}
	}()
	<-make(chan int)
}

func TestFoundPanic(t *testing.T) {
	c := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-c:
			default:
				runtime.Gosched()
				close(c)
			}
		})
	}
	wg.Wait()
}

func TestPull(t *testing.T) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 1; yield(i); i++ {
			runtime.Gosched()
		}
	})
	defer stop()
	done := make(chan int, 1)
	go func() {
		x, _ := next()
		done <- x
	}()
	shows(uint64(<-done))
	x, _ := next()
	shows(uint64(x))
}

func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		runtime.Gosched()
		w.Write([]byte{3})
		w.Close()
	}()
	var b [4]byte
	n, err := r.Read(b[:])
	if n != 1 || err != nil {
		t.Error(n, err)
	}
	shows(uint64(b[0]))
}

// Virtual time does not pass while a child process runs. How many steps it takes, and whether each execution repeats,
// is a matter of the machine.
func TestChild(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	child := exec.CommandContext(ctx, "/bin/sh", "-c", "sleep 0.005; echo x")
	if out, err := child.Output(); err != nil || string(out) != "x\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// The writer waits for the reader.
func TestFullPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		w.Write(make([]byte, 200<<10))
		w.Close()
	}()
	if b, err := io.ReadAll(r); len(b) != 200<<10 || err != nil {
		t.Error(len(b), err)
	}
}

func TestFoundExit(t *testing.T) {
	go os.Exit(3)
	select {}
}

func TestFoundUnlock(t *testing.T) {
	defer func() { recover() }()
	var mu sync.Mutex
	mu.Unlock()
}

func TestNotifyContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	child, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	<-child.Done()
	if ctx.Err() != nil {
		t.Error(ctx.Err())
	}
}

//go:noinline
func spins(n uint64) (x uint64) {
	for i := range n {
		x = x*31 + i
	}
	return x
}

// No lock is handed over to the goroutine that has waited for long.
func TestLongWait(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			shows(1)
			mu.Unlock()
		})
	}
	for range 2 {
		shows(2)
		spins(4e6) // some milliseconds
		mu.Unlock()
		mu.Lock()
	}
	mu.Unlock()
	wg.Wait()
}

func FuzzSeeds(f *testing.F) {
	f.Add(2)
	f.Add(5)
	f.Fuzz(func(t *testing.T, x int) {
		go shows(1)
		shows(uint64(x))
	})
}

func TestSignal(t *testing.T) {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, send := range []func() error{
		func() error { return syscall.Kill(os.Getpid(), syscall.SIGUSR1) },
		func() error { return p.Signal(syscall.SIGUSR1) },
	} {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		if err := send(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-c:
		case <-time.After(time.Millisecond):
			t.Error("it has not come")
		}
		signal.Stop(c)
	}
	signal.Ignore(syscall.SIGUSR2)
	signal.Reset(syscall.SIGUSR2)
}

func TestCollector(t *testing.T) {
	done := make(chan int, 1)
	p := new([64]byte)
	w := weak.Make(p)
	runtime.AddCleanup(p, func(x int) { done <- x }, 4)
	if p = nil; w.Value() != nil {
		shows(2)
	}
	runtime.GC()
	shows(uint64(<-done))
}

var (
	piece  []byte
	memory runtime.MemStats
)

// The collector does not run by itself.
func TestNoCollection(t *testing.T) {
	runtime.ReadMemStats(&memory)
	before := memory.NumGC
	for range 16 {
		piece = make([]byte, 1<<20)
	}
	runtime.ReadMemStats(&memory)
	if memory.NumGC != before {
		t.Error(memory.NumGC-before, "collections")
	}
}

// The writer of a profile waits in the runtime.
func TestProfile(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
	pprof.StopCPUProfile()
}

var entry weak.Pointer[[64]byte]

// What only weak pointers refer to does not outlive its execution.
func TestWeakAlone(t *testing.T) {
	if entry.Value() != nil {
		t.Error("of an earlier execution")
	}
	x := new([64]byte)
	x[0] = 1
	entry = weak.Make(x)
}

func TestNested(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shows(uint64(len(t.Name())))
		})
	}
}
