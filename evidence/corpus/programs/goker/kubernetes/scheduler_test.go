package kubernetes

import (
	"sync"
	"testing"
	"time"
)

// A podQueue has pods that could not be scheduled. Its goroutine takes out those that have waited
// long enough, counted in ticks.
type podQueue struct {
	mu    sync.RWMutex
	since map[string]int
	order []string
	stop  chan struct{}
	flush sync.WaitGroup
}

func newPodQueue(pods ...string) *podQueue {
	q := &podQueue{since: make(map[string]int), stop: make(chan struct{})}
	for i, pod := range pods {
		q.since[pod] = i
		q.order = append(q.order, pod)
	}
	return q
}

func (q *podQueue) run() {
	q.flush.Go(func() {
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for now := 1; ; now++ {
			select {
			case <-ticker.C:
				q.flushAt(now)
			case <-q.stop:
				return
			}
		}
	})
}

func (q *podQueue) flushAt(now int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.order) > 0 && q.since[q.order[0]] < now {
		delete(q.since, q.order[0])
		q.order = q.order[1:]
	}
}

func (q *podQueue) has(pod string) bool {
	_, ok := q.since[pod]
	return ok
}

func (q *podQueue) len() int { return len(q.order) }

// schedulerTest is a test of a queue that runs: use needs the lock, and has it or not.
func schedulerTest(lock bool, use func(q *podQueue)) {
	q := newPodQueue("a", "b")
	q.run()
	time.Sleep(time.Millisecond)
	func() {
		if lock {
			q.mu.Lock()
			defer q.mu.Unlock()
		}
		use(q)
	}()
	close(q.stop)
	q.flush.Wait()
}

func kubernetes79631(q *podQueue) { _ = q.has("b") }

func TestKubernetes79631(*testing.T) { schedulerTest(false, kubernetes79631) }

func TestKubernetes79631Fixed(*testing.T) { schedulerTest(true, kubernetes79631) }

// The test makes a pod look older than it is.
func kubernetes81148(q *podQueue) { q.since["b"] = -1 }

func TestKubernetes81148(*testing.T) { schedulerTest(false, kubernetes81148) }

func TestKubernetes81148Fixed(*testing.T) { schedulerTest(true, kubernetes81148) }

func kubernetes88331(q *podQueue) { _ = q.len() }

func TestKubernetes88331(*testing.T) { schedulerTest(false, kubernetes88331) }

func TestKubernetes88331Fixed(*testing.T) { schedulerTest(true, kubernetes88331) }
