package example

import (
	"testing"
	"time"

	"github.com/benbjohnson/clock"
)

// A timer fires once, though another is made while the clock moves.
func TestTimerBesideAdd(t *testing.T) {
	mock := clock.NewMock()
	timer := mock.Timer(time.Second)
	go mock.Add(time.Second)
	mock.Timer(time.Hour)
	<-timer.C
	time.Sleep(time.Second)
	if len(timer.C) > 0 {
		t.Error("the timer fired twice")
	}
}
