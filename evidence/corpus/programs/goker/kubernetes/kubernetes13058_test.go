package kubernetes

import (
	"sync"
	"testing"
	"time"
)

// poll calls f now and every period, until stop is closed.
func poll(f func(), period time.Duration, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		f()
		time.Sleep(period)
	}
}

// kubernetes13058 waits until as many deletions were reported as there are objects. An informer
// reports a deletion again in each round, for as long as it runs.
func kubernetes13058(objects int, onDelete func(deleted *sync.WaitGroup, n int)) {
	var deleted, informer sync.WaitGroup
	deleted.Add(objects)
	stop := make(chan struct{})
	rounds := 0
	informer.Go(func() {
		poll(func() { rounds++; onDelete(&deleted, rounds) }, time.Millisecond, stop)
	})
	deleted.Wait()
	close(stop)
	informer.Wait()
}

func TestKubernetes13058(*testing.T) {
	kubernetes13058(3, func(deleted *sync.WaitGroup, _ int) { deleted.Done() })
}

func TestKubernetes13058Fixed(*testing.T) {
	kubernetes13058(3, func(deleted *sync.WaitGroup, n int) {
		if n <= 3 { // each object once
			deleted.Done()
		}
	})
}
