package kubernetes

import (
	"sync"
	"sync/atomic"
	"testing"
)

// proxy passes a request to a handler in a goroutine and returns its answer.
func proxy(handler func(answer chan<- string), backend *sync.WaitGroup) string {
	answer := make(chan string, 1)
	backend.Go(func() { handler(answer) })
	return <-answer
}

func TestKubernetes49404(*testing.T) {
	called := false
	var backend sync.WaitGroup
	_ = proxy(func(answer chan<- string) {
		answer <- "hello"
		called = true // the client has its answer
	}, &backend)
	_ = called
	backend.Wait()
}

func TestKubernetes49404Fixed(t *testing.T) {
	var calls atomic.Int32
	var backend sync.WaitGroup
	_ = proxy(func(answer chan<- string) {
		calls.Add(1)
		answer <- "hello"
	}, &backend)
	if calls.Load() != 1 {
		t.Error("the handler was not called")
	}
	backend.Wait()
}
