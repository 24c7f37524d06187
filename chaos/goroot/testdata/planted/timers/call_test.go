package timers

import (
	"errors"
	"testing"
	"time"
)

func TestCall(t *testing.T) {
	t.Parallel()
	c := NewCall(time.Second)
	answered := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		c.Answer("pong")
		close(answered)
	}()
	if answer, err := c.Wait(); err != nil && !errors.Is(err, ErrTimeout) || err == nil && answer != "pong" {
		t.Errorf("Wait = %q, %v", answer, err)
	}
	<-answered
}
