package coroutines

import (
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func count(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

// A coroutine is a goroutine from iter.Pull on, until it has ended.
func TestCount(t *testing.T) {
	goroutines := func() int {
		dump := make([]byte, 1<<16)
		return strings.Count("\n"+string(dump[:runtime.Stack(dump, true)]), "\ngoroutine ")
	}
	before, dumped := runtime.NumGoroutine(), goroutines()
	check := func(want int) {
		t.Helper()
		if n, d := runtime.NumGoroutine()-before, goroutines()-dumped; n != want || d != want {
			t.Errorf("%d goroutines more, and %d in a dump, want %d", n, d, want)
		}
	}
	next, stop := iter.Pull(count)
	check(1)
	next()
	check(1)
	done := make(chan bool)
	go func() {
		defer close(done)
		next, stop := iter.Pull2(func(yield func(int, int) bool) {
			check(3) // on the coroutine
			yield(1, 2)
		})
		next()
		check(3)
		stop()
	}()
	<-done
	time.Sleep(time.Second)
	check(1)
	stop()
	check(0)
	next, _ = iter.Pull(func(func(int) bool) {})
	check(1)
	next()
	check(0)
}

// goleak sees one that is left.
func TestFoundByGoleak(t *testing.T) {
	defer goleak.VerifyNone(t)
	next, _ := iter.Pull(count)
	next()
}

func TestStopped(t *testing.T) {
	defer goleak.VerifyNone(t)
	for i := range count {
		next, stop := iter.Pull(count)
		next()
		stop()
		if i == 3 {
			break
		}
	}
}
