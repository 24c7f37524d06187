//go:debug default=go1.20

// Package settings runs by the defaults of an old Go version: the runtime and the standard library then
// behave as they did in that version (GODEBUG).
package settings

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	crand "crypto/rand"
	"math/rand"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Nothing of the test has a setting, but the engine has a ticker. Here, and in the next test, the race
// detector must not see how the engine counts goroutines.
func TestClose(t *testing.T) {
	c := make(chan int)
	go func() { close(c) }()
	<-c
}

// Settings take effect in several goroutines.
func TestTogether(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		<-time.NewTimer(time.Second).C
	}()
	go func() {
		defer wg.Done()
		defer func() { recover() }()
		panic(nil)
	}()
	go func() {
		defer wg.Done()
		rand.Seed(1)
	}()
	wg.Wait()
}

// The runtime looks at a setting that a test changes.
func TestSetenv(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=0")
	var wg sync.WaitGroup
	wg.Go(func() { os.Setenv("GODEBUG", "panicnil=0,asynctimerchan=0") })
	defer func() {
		wg.Wait()
		if recover() == nil {
			t.Error("panic(nil) is not changed to an error")
		}
	}()
	panic(nil)
}

func TestFoundPanicNil(t *testing.T) {
	go panic(nil)
	time.Sleep(time.Second)
}

func TestFoundMainPanicNil(t *testing.T) { panic(nil) }

func TestGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.Goexit()
	}()
	<-done
}

// The seed of package math/rand has an effect.
func TestSeed(t *testing.T) {
	rand.Seed(7)
	a := rand.Intn(1000)
	rand.Seed(7)
	if b := rand.Intn(1000); a != b {
		t.Errorf("%d, then %d", a, b)
	}
}

// A reader of random numbers is not ignored.
func TestKeys(t *testing.T) {
	var mu sync.Mutex
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.New(rand.NewSource(1)))
	if err != nil {
		t.Fatal(err)
	}
	for range key.D.Bit(0) + key.D.Bit(1) + key.D.Bit(2) {
		mu.Lock()
		mu.Unlock()
	}
	if _, err := crand.Int(crand.Reader, key.D); err != nil {
		t.Fatal(err)
	}
}
