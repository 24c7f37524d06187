package pool

import (
	"context"
	"testing"
)

// BenchmarkForkTakenBack is what a fork costs that is not stolen, whatever its second half
// is: a tree of them, twelve deep.
func BenchmarkForkTakenBack(b *testing.B) {
	const depth = 12
	p, err := New(1)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	var tree func(w *Worker, depth int)
	tree = func(w *Worker, depth int) {
		if depth == 0 {
			return
		}
		i := w.forks.top
		t, ok := w.frame(i).(*numberedFork)
		if !ok {
			t = newFrame(w, func() *numberedFork { return new(numberedFork) })
		}
		w.fork(i)
		if w.mayKeep(i) {
			w.kept()
		} else {
			w.keepLess()
		}
		tree(w, depth-1)
		if !w.isMine(&t.joinTask) && !w.join(&t.joinTask) {
			b.Error("another worker has taken it")
		}
		w.takeBack(i)
		tree(w, depth-1)
		w.joined(i)
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
