package serving

import (
	"sync"
	"testing"
)

// A fakeClient asks its reactors, in order, about each action.
type fakeClient struct{ reactors []func(string) bool }

func (f *fakeClient) invoke(action string) {
	for _, handles := range f.reactors {
		if handles(action) {
			return
		}
	}
}

func (f *fakeClient) prepend(r func(string) bool) {
	f.reactors = append([]func(string) bool{r}, f.reactors...)
}

// reconcile creates what the keys in the queue ask for.
func reconcile(f *fakeClient, queue <-chan string) {
	for range queue {
		f.invoke("create")
	}
}

// serving3148 adds its hook to the client when the controller runs already, or before.
func serving3148(before bool) {
	f := &fakeClient{reactors: []func(string) bool{func(string) bool { return false }}}
	queue := make(chan string, 1)
	queue <- "key"
	hook := func() { f.prepend(func(action string) bool { return action == "update" }) }
	if before {
		hook()
	}
	var controller sync.WaitGroup
	controller.Go(func() { reconcile(f, queue) })
	if !before {
		hook()
	}
	close(queue)
	controller.Wait()
}

func TestServing3148(*testing.T) { serving3148(false) }

func TestServing3148Fixed(*testing.T) { serving3148(true) }
