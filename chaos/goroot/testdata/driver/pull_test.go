package driver

import (
	"iter"
	"testing"
)

func numbers(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

func TestLeaksPull(t *testing.T) {
	next, _ := iter.Pull(numbers)
	next()
}

func TestLeaksPullOfAnother(t *testing.T) {
	done := make(chan bool)
	go func() {
		iter.Pull(numbers)
		close(done)
	}()
	<-done
}

func TestLeaksPullWaiting(t *testing.T) {
	go func() {
		next, _ := iter.Pull(func(func(int) bool) { <-make(chan int) })
		next()
	}()
}

func TestStopsPull(t *testing.T) {
	for range numbers {
		next, stop := iter.Pull(numbers)
		next()
		stop()
		break
	}
}
