package rayondemo

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

// Depth is the depth of join-recursively, which makes Joins joins.
const (
	Depth = 16
	Joins = 1<<Depth - 1
)

// JoinRecursively is a complete binary tree of joins whose leaves do nothing.
func JoinRecursively(p *pool.Pool) error {
	return p.Run(context.Background(), func(w *pool.Worker) error {
		joinRecursively(w, Depth)
		return nil
	})
}

func joinRecursively(w *pool.Worker, n int) {
	if n == 0 {
		return
	}
	w.Join(
		func(w *pool.Worker) { joinRecursively(w, n-1) },
		func(w *pool.Worker) { joinRecursively(w, n-1) },
	)
}

// JoinRecursivelyFn is the same tree with typed joins (pool.Fn).
func JoinRecursivelyFn(p *pool.Pool) error {
	return p.Run(context.Background(), func(w *pool.Worker) error {
		tree.Call(w, Depth)
		return nil
	})
}

var tree = pool.NewFn(func(tree *pool.Fn[int, struct{}], w *pool.Worker, n int) (nothing struct{}) {
	if n > 0 {
		tree.Join(w, n-1, n-1)
	}
	return nothing
})
