package moby

import (
	"context"
	"sync"
	"testing"
)

// containerWait returns channels for the exit code of a container and for an error. If the request
// itself fails, it sends the error before anybody can receive.
func containerWait(ctx context.Context, capacity int) (<-chan int, <-chan error) {
	code, failed := make(chan int, 1), make(chan error, capacity)
	if err := ctx.Err(); err != nil {
		failed <- err
		return code, failed
	}
	code <- 0
	return code, failed
}

func moby33293(t *testing.T, capacity int) {
	ctx, cancel := context.WithCancel(t.Context())
	var user sync.WaitGroup
	user.Go(cancel)
	code, failed := containerWait(ctx, capacity)
	select {
	case <-code:
	case <-failed:
	}
	user.Wait()
}

func TestMoby33293(t *testing.T) { moby33293(t, 0) }

func TestMoby33293Fixed(t *testing.T) { moby33293(t, 1) }
