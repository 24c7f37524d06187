package failures

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A queue whose Close does not hold the lock: a Take that has seen it open waits for ever.
type queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	items  []int
	closed atomic.Bool
}

func newQueue() *queue {
	q := &queue{}
	q.filled = sync.NewCond(&q.mu)
	return q
}

func (q *queue) Put(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, n)
	q.filled.Signal()
}

func (q *queue) Close() {
	q.closed.Store(true)
	q.filled.Broadcast()
}

func (q *queue) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		if q.closed.Load() {
			return 0, false
		}
		q.filled.Wait()
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, true
}

func TestLostWakeup(t *testing.T) {
	q := newQueue()
	var done sync.WaitGroup
	done.Go(func() {
		for {
			if _, ok := q.Take(); !ok {
				return
			}
		}
	})
	q.Put(1)
	q.Close()
	done.Wait()
}

type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func TestLockOrder(t *testing.T) {
	a, b := &account{balance: 10}, &account{balance: 10}
	var done sync.WaitGroup
	done.Go(func() { transfer(a, b, 1) })
	done.Go(func() { transfer(b, a, 2) })
	done.Wait()
}

func TestLostUpdate(t *testing.T) {
	var hits atomic.Int64
	var done sync.WaitGroup
	for range 3 {
		done.Go(func() {
			n := hits.Load()
			hits.Store(n + 1)
		})
	}
	done.Wait()
	if n := hits.Load(); n != 3 {
		t.Errorf("%d hits, want 3", n)
	}
}

func TestSendOnClosed(t *testing.T) {
	values, quit := make(chan int, 1), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for n := range 3 {
			select {
			case values <- n:
			case <-quit:
				return
			}
		}
	})
	<-values
	close(quit)
	close(values)
	done.Wait()
}

func TestTimeout(t *testing.T) {
	answer := make(chan int)
	go func() {
		time.Sleep(10 * time.Millisecond)
		answer <- 1
	}()
	select {
	case <-answer:
	case <-time.After(10 * time.Millisecond):
		t.Error("no answer in time")
	}
}
