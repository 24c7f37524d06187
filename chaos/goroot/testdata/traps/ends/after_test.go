package ends

import (
	"sync/atomic"
	"testing"
	"time"
)

// When a test has ended, the process goes on for a while. What the test has left may fail then.

func TestFoundLogLater(t *testing.T) {
	go func() {
		time.Sleep(time.Millisecond)
		t.Log("later")
	}()
}

func TestFoundErrorLater(t *testing.T) {
	time.AfterFunc(time.Millisecond, func() { t.Error("later") })
}

func TestFoundPanicLater(t *testing.T) {
	p := new(atomic.Int32)
	time.AfterFunc(time.Millisecond, func() { p.Add(1) })
	p = nil
}

func TestFoundSecondLater(t *testing.T) {
	time.AfterFunc(time.Millisecond, func() {
		time.AfterFunc(time.Millisecond, func() { panic("later") })
	})
}

// It does not go on for long.
func TestWatchdogLeft(t *testing.T) {
	time.AfterFunc(time.Second, func() { panic("the test takes too long") })
	go func() {
		time.Sleep(time.Second)
		panic("so it does")
	}()
}

func TestTickerLeft(t *testing.T) {
	var beats atomic.Int32
	go func() {
		for range time.Tick(time.Microsecond) {
			beats.Add(1)
		}
	}()
}
