package loops

import (
	"context"
	"testing"
	"time"
)

// Two loops that wait use up what there is for loops which run on alone. A goroutine after them that looks twice
// whether a context has ended, as it asks another one, is in no loop.
func TestAsksAfterLongLoops(t *testing.T) {
	c := make(chan bool)
	for range 2 {
		go func() {
			time.Sleep(270 * time.Millisecond)
			c <- true
		}()
		for waits, until := true, time.Now().Add(5*time.Second); waits && time.Now().Before(until); {
			select {
			case <-c:
				waits = false
			default:
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	requests := make(chan chan bool)
	go answer(ctx, requests)
	go func() {
		for range 3 {
			if !ask(ctx, requests) {
				return
			}
		}
		c <- true
	}()
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("a second has passed while a goroutine could continue")
	}
}

func answer(ctx context.Context, requests chan chan bool) {
	for {
		select {
		case r := <-requests:
			r <- true
		case <-ctx.Done():
			return
		}
	}
}

func ask(ctx context.Context, requests chan chan bool) bool {
	select {
	case <-ctx.Done():
		return false
	default:
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := make(chan bool, 1)
	select {
	case requests <- r:
	case <-ctx.Done():
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-r:
		return true
	}
}
