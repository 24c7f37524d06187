package moby

import (
	"errors"
	"testing"
	"time"
)

// async runs f in a goroutine and returns the channel of its result.
func async(capacity int, f func() error) <-chan error {
	result := make(chan error, capacity)
	go func() { result <- f() }()
	return result
}

// moby4395 gives up waiting when the time is over. The goroutine then has no receiver.
func moby4395(capacity int) {
	attach := async(capacity, func() error {
		time.Sleep(time.Millisecond)
		return errors.New("closed")
	})
	select {
	case <-attach:
	case <-time.After(time.Millisecond):
	}
	time.Sleep(2 * time.Millisecond)
}

func TestMoby4395(*testing.T) { moby4395(0) }

func TestMoby4395Fixed(*testing.T) { moby4395(1) }
