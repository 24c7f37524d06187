package pool_test

import (
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// resultEntries are both ways to get results.
var resultEntries = map[string]func(g *pool.Group, seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error]{
	"Results":          pool.Results[int, int],
	"ResultsUnordered": pool.ResultsUnordered[int, int],
}

// eachResults runs a test with both, with groups of one to three workers, outside and inside, with
// a limit and without.
func eachResults(t *testing.T, f func(t *testing.T, g *pool.Group, results func(seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error], ordered bool)) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for name, entry := range resultEntries {
			for _, limit := range []int{-1, 1, 3} {
				test := func() {
					g, _ := p.Group(background)
					g.SetLimit(limit)
					f(t, g, func(seq iter.Seq[int], job func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error] {
						return entry(g, seq, job)
					}, name == "Results")
					_ = g.Wait()
				}
				test()
				run(t, p, func(w *pool.Worker) { test() })
				run(t, p, func(w *pool.Worker) { w.Isolated(func(*pool.Worker) { test() }) })
			}
		}
	})
}

// Catches: a result that is lost, or comes twice, or out of order; a group that fails with an error
// that the consumer has got.
func TestResultsComeOnce(t *testing.T) {
	eachResults(t, func(t *testing.T, g *pool.Group, results func(iter.Seq[int], func(*pool.Worker, int) (int, error)) iter.Seq2[int, error], ordered bool) {
		for _, n := range []int{0, 1, 50} {
			var got []int
			for v, err := range results(count(n, nil), func(_ *pool.Worker, i int) (int, error) {
				if i%7 == 3 {
					return i, errTest
				}
				return i, nil
			}) {
				if (v%7 == 3) != (err == errTest) {
					t.Errorf("%d: %v", v, err)
				}
				got = append(got, v)
			}
			if !ordered {
				slices.Sort(got)
			}
			if !slices.Equal(got, numbers(n)) {
				t.Errorf("got %v", got)
			}
		}
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// Catches: a sequence that is read without end; jobs that begin behind a break, or still run when
// the loop has ended.
func TestResultsStop(t *testing.T) {
	eachResults(t, func(t *testing.T, g *pool.Group, results func(iter.Seq[int], func(*pool.Worker, int) (int, error)) iter.Seq2[int, error], _ bool) {
		var running atomic.Int64
		yielded, got := 0, 0
		for range results(count(10000, &yielded), func(*pool.Worker, int) (int, error) {
			running.Add(1)
			runtime.Gosched()
			running.Add(-1)
			return 0, nil
		}) {
			if got++; got == 5 {
				break
			}
		}
		if n := running.Load(); n != 0 {
			t.Errorf("%d jobs run behind the loop", n)
		}
		if yielded > 5+4*3 {
			t.Errorf("%d values were taken for 5 results", yielded)
		}
	})
}

// Catches: a panic that is lost, or leaves jobs behind; a Goexit that is no error.
func TestResultsOfJobsThatDoNotReturn(t *testing.T) {
	eachResults(t, func(t *testing.T, g *pool.Group, results func(iter.Seq[int], func(*pool.Worker, int) (int, error)) iter.Seq2[int, error], _ bool) {
		var running atomic.Int64
		wantPanic(t, panicOf(func() {
			for range results(count(100, nil), func(_ *pool.Worker, i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				if i == 10 {
					explode()
				}
				return i, nil
			}) {
			}
		}), errTest)
		if n := running.Load(); n != 0 {
			t.Errorf("%d jobs run behind the panic", n)
		}
		if v := panicOf(func() {
			for range results(count(100, nil), func(_ *pool.Worker, i int) (int, error) { return i, nil }) {
				panic(errTest)
			}
		}); v != any(errTest) {
			t.Errorf("the body panicked with %v", v)
		}
	})
	p := newPool(t, 2)
	g, _ := p.Group(background)
	n := 0
	for _, err := range pool.Results(g, count(10, nil), func(*pool.Worker, int) (int, error) { runtime.Goexit(); return 0, nil }) {
		if n++; err != pool.ErrGoexit {
			t.Error(err)
		}
	}
	if n != 10 {
		t.Errorf("%d results", n)
	}
	_ = g.Wait()
}

// Catches: break that does not cancel; an end of the sequence that does.
func TestResultsCancel(t *testing.T) {
	p := newPool(t, 2)
	for _, breaks := range []bool{false, true} {
		g, ctx := p.Group(background)
		for range pool.Results(g, count(10, nil), func(_ *pool.Worker, i int) (int, error) { return i, nil }) {
			if breaks {
				break
			}
		}
		if (ctx.Err() != nil) != breaks {
			t.Errorf("breaks: %t, and then %v", breaks, ctx.Err())
		}
		_ = g.Wait()
	}
}

// Catches: results that are waited for where they can never come.
func TestResultsThatCannotCome(t *testing.T) {
	p := newPool(t, 1)
	g, _ := p.Group(background)
	g.SetLimit(1)
	g.Go(func(*pool.Worker) error {
		for _, err := range pool.Results(g, count(3, nil), func(*pool.Worker, int) (int, error) { return 0, nil }) {
			return err
		}
		return nil
	})
	if err := g.Wait(); !isDeadlock(err, "Results") {
		t.Error(err)
	}
	closed, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(background); err != nil {
		t.Fatal(err)
	}
	late, _ := closed.Group(background)
	n := 0
	for _, err := range pool.Results(late, count(3, nil), func(*pool.Worker, int) (int, error) { return 0, nil }) {
		if n++; err != pool.ErrClosed {
			t.Error(err)
		}
	}
	if n != 3 {
		t.Errorf("%d results", n)
	}
}
