package queues

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Leaks a goroutine if the time is up before the service has answered.
func TestAskLeaks(t *testing.T) {
	slow := func() string {
		time.Sleep(time.Millisecond)
		return "pong"
	}
	answer, err := AskFor(5*time.Second, slow)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) || err == nil && answer != "pong" {
		t.Errorf("AskFor = %q, %v", answer, err)
	}
}
