// Package leaks has goroutines that end after their test, by a case of a select that is ready together with
// others.
package leaks

import (
	"context"
	"sync"
	"testing"
	"time"
)

func janitor(ctx context.Context) {
	done := make(chan struct{})
	var once sync.Once
	ticker := time.NewTicker(3 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-done:
			return
		case <-ctx.Done():
			once.Do(func() { close(done) })
		}
	}
}

func TestJanitor(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go janitor(ctx)
}

func TestWaited(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { janitor(ctx) })
	cancel()
	wg.Wait()
}

// TestFirst needs the first of four cases.
func TestFirst(*testing.T) {
	closed := make(chan struct{})
	close(closed)
	first := make(chan struct{})
	close(first)
	go func() {
		for {
			select {
			case <-first:
				return
			case <-closed:
			case <-closed:
			case <-closed:
			}
		}
	}()
}

// TestReceives needs to receive, beside a send that is ready for long.
func TestReceives(*testing.T) {
	closed, wide := make(chan int), make(chan int, 100_000)
	close(closed)
	go func() {
		for {
			select {
			case wide <- 1:
			case <-closed:
				return
			}
		}
	}()
}

// TestDefault leaves a loop that has a default, too.
func TestDefault(*testing.T) {
	closed, first := make(chan int), make(chan int)
	close(closed)
	close(first)
	go func() {
		for {
			select {
			case <-first:
				return
			case <-closed:
			default:
			}
		}
	}()
}

// TestWorker drains a queue that another goroutine fills as fast, until it is to stop.
func TestWorker(*testing.T) {
	queue, stop := make(chan int, 1), make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case queue <- 1:
			case <-stop:
				return
			}
		}
	})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-queue:
			}
		}
	})
	close(stop)
}
