package pool

import (
	"context"
	"testing"
)

// BenchmarkForkTakenBack is what a fork costs that nobody takes, without the memory
// that every kind of join allocates for it: a tree of them, twelve deep.
func BenchmarkForkTakenBack(b *testing.B) {
	const depth = 12
	p, err := New(1)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	var tasks [depth + 1]closureJoin
	for i := range tasks {
		tasks[i].task = &tasks[i]
	}
	var tree func(w *Worker, depth int)
	tree = func(w *Worker, depth int) {
		if depth == 0 {
			return
		}
		t := &tasks[depth].joinTask
		w.fork(t)
		tree(w, depth-1)
		if !w.join(t) {
			b.Error("somebody else has taken it")
		}
		tree(w, depth-1)
		w.joined(t)
	}
	err = p.Run(context.Background(), func(w *Worker) error {
		for b.Loop() {
			tree(w, depth)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<depth-1), "ns/fork")
}
