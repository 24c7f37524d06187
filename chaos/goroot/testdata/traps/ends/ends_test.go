// Package ends has tests that end in all the ways there are.
package ends

import (
	"errors"
	"log"
	"os"
	"runtime"
	"sync"
	"testing"
)

func TestFoundPanic(t *testing.T) {
	go func() { panic(errors.New("an error")) }()
	runtime.Gosched()
}

func TestFoundNil(t *testing.T) {
	var p *int
	done := make(chan bool)
	go func() { defer close(done); *p = 1 }()
	<-done
}

func TestFoundRepanic(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { panic(recover()) }()
		panic(1)
	}()
	<-done
}

func TestFoundUnlock(t *testing.T) {
	defer func() { recover() }() // a fatal error is not recovered
	var mu sync.Mutex
	mu.Unlock()
}

func TestFoundRUnlock(t *testing.T) {
	var mu sync.RWMutex
	mu.RUnlock()
}

func TestFoundWUnlock(t *testing.T) {
	var mu sync.RWMutex
	mu.Unlock()
}

func TestFoundNegativeCounter(t *testing.T) {
	var wg sync.WaitGroup
	go wg.Done()
	go wg.Add(1)
	wg.Wait()
}

func TestFoundExit(t *testing.T) {
	go os.Exit(3)
	select {}
}

func TestFoundExit0(t *testing.T) { os.Exit(0) }

func TestFoundLogFatal(t *testing.T) {
	go log.New(os.Stderr, "", 0).Fatal("the end")
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func TestFoundLogFatalQuietly(t *testing.T) {
	var m sync.Map
	m.Store(1, 1)
	m.Range(func(_, _ any) bool { os.Exit(1); return true })
}

func TestFoundDeadlock(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func TestFoundNilChannel(t *testing.T) {
	var c chan int
	<-c
}

func TestFoundDoubleClose(t *testing.T) {
	c := make(chan int)
	go close(c)
	close(c)
	runtime.Gosched()
}

// runtime.Goexit ends a goroutine, after its deferred calls.
func TestGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.Goexit()
		panic("not reached")
	}()
	<-done
}

func TestRecovered(t *testing.T) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		panic("recovered")
	}()
	if v := <-done; v != "recovered" {
		t.Error(v)
	}
}

func TestFoundGoexitOfTest(t *testing.T) { runtime.Goexit() }

func TestFoundFailNow(t *testing.T) {
	t.Cleanup(func() {})
	t.FailNow()
}

func TestFoundLogAfterEnd(t *testing.T) { go t.Log("the test may have ended") }

// What a subtest logs after its end is logged to the parent.
func TestLogOfSubtest(t *testing.T) {
	logged := make(chan bool)
	t.Run("subtest", func(t *testing.T) {
		go func() {
			defer close(logged)
			t.Log("the subtest may have ended")
		}()
	})
	<-logged
}
