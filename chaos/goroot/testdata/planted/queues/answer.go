package queues

import (
	"context"
	"time"
)

// Ask calls a service that may be slow, and gives up when ctx ends.
func Ask(ctx context.Context, service func() string) (string, error) {
	answer := newAnswer()
	go func() { answer <- service() }()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// AskFor is Ask with a time limit.
func AskFor(limit time.Duration, service func() string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return Ask(ctx, service)
}
