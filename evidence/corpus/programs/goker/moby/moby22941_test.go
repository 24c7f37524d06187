package moby

import (
	"sync"
	"testing"
)

// serve answers each request in a goroutine, which compares it with what the test expects.
func serve(requests <-chan string, answers chan<- bool, expected func() string) {
	var handlers sync.WaitGroup
	for r := range requests {
		handlers.Go(func() { answers <- r == expected() })
	}
	handlers.Wait()
}

// moby22941 sends requests and does not wait for the answer to one before the next. The handlers
// share the variable of the loop, unless requests wait.
func moby22941(wait bool) {
	requests, answers := make(chan string), make(chan bool, 3)
	var expected string
	var server sync.WaitGroup
	server.Go(func() { serve(requests, answers, func() string { return expected }) })
	for _, expected = range []string{"/info", "/images", "/version"} {
		requests <- expected
		if wait {
			<-answers
		}
	}
	close(requests)
	server.Wait()
}

func TestMoby22941(*testing.T) { moby22941(false) }

func TestMoby22941Fixed(*testing.T) { moby22941(true) }
