package groups

import "context"

// Gather fetches n pages at the same time, and returns their sizes, or the first error.
func Gather(ctx context.Context, n int, fetch func(page int) int) (sum int, err error) {
	g, ctx := WithContext(ctx)
	sizes := make(chan int)
	for page := range n {
		g.Go(func() error { return deliver(ctx, sizes, fetch(page)) })
	}
	go func() {
		g.Wait()
		close(sizes)
	}()
	for range n {
		select {
		case size, ok := <-sizes:
			if !ok { // a page was not delivered
				return 0, ctx.Err()
			}
			sum += size
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return sum, nil
}
