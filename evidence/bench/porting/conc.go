package porting

import (
	"context"

	"github.com/rouse-go/rouse/pool"
	concpool "github.com/sourcegraph/conc/pool"
)

// MapConc returns f of each input, in any order, or an error.
func MapConc(_ context.Context, inputs []string, f func(string) (int, error)) ([]int, error) {
	p := concpool.NewWithResults[int]().WithErrors().WithFirstError().WithMaxGoroutines(4)
	for _, s := range inputs {
		p.Go(func() (int, error) { return f(s) })
	}
	results, err := p.Wait()
	if err != nil {
		return nil, err
	}
	return results, nil
}

// MapPool is MapConc in a pool, with the results in order.
func MapPool(ctx context.Context, inputs []string, f func(string) (int, error)) ([]int, error) {
	return pool.Submit(ctx, pool.Default(), func(w *pool.Worker) ([]int, error) {
		return pool.MapErr(w, inputs, func(_ *pool.Worker, s string) (int, error) { return f(s) })
	}).Wait(ctx)
}
