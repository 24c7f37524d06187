package pool_test

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A meeting is over when n goroutines have come to it: that all are there at once
// is what it proves.
type meeting struct{ sync.WaitGroup }

func newMeeting(n int) *meeting {
	m := new(meeting)
	m.Add(n)
	return m
}

func (m *meeting) attend() { m.Done(); m.Wait() }

// Catches: a batch that wakes fewer workers than it has jobs.
func TestBatchWakesAll(t *testing.T) {
	const n = 8
	p := newPool(t, n)
	for range 20 {
		quiet(p)
		m := newMeeting(n + 1)
		if err := p.GoN(n, func(*pool.Worker, int) { m.attend() }); err != nil {
			t.Fatal(err)
		}
		m.attend()

		quiet(p)
		m = newMeeting(n)
		run(t, p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.GoN(w, n-1, func(*pool.Worker, int) { m.attend() })
				m.attend()
			})
		})

		quiet(p)
		m = newMeeting(n + 1)
		run(t, p, func(w *pool.Worker) { w.GoN(n, func(*pool.Worker, int) { m.attend() }) })
		m.attend()
	}
}

func TestBatchRunsEachOnce(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range []int{0, 1, 2, 63, 64, 65, 1000} {
			var ran [1000]atomic.Int32
			f := func(_ *pool.Worker, i int) { ran[i].Add(1) }
			run(t, p, func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) { s.GoN(w, n, f) })
				w.Scope(func(s *pool.Scope) { s.GoN(nil, n, f) })
				w.ScopeFIFO(func(s *pool.Scope) { s.GoN(w, n, f) })
			})
			var wait sync.WaitGroup
			wait.Add(2 * n)
			g := func(w *pool.Worker, i int) { f(w, i); wait.Done() }
			if err := p.GoN(n, g); err != nil {
				t.Fatal(err)
			}
			run(t, p, func(w *pool.Worker) { w.GoN(n, g) })
			wait.Wait()
			for i := range ran {
				if want := int32(5); i < n && ran[i].Load() != want || i >= n && ran[i].Load() != 0 {
					t.Fatalf("GoN(%d): job %d ran %d times", n, i, ran[i].Load())
				}
			}
		}
	})
}

func TestBatchMisuse(t *testing.T) {
	p := newPool(t, 1)
	if err := p.GoN(-1, func(*pool.Worker, int) {}); err == nil || err.Error() != "pool: Pool.GoN of -1 jobs: want 0 or more" {
		t.Error(err)
	}
	if err := p.GoN(1, nil); err != pool.ErrNoFunction {
		t.Error(err)
	}
	for _, f := range []func(w *pool.Worker){
		func(w *pool.Worker) { w.GoN(-1, func(*pool.Worker, int) {}) },
		func(w *pool.Worker) { w.GoN(1, nil) },
		func(w *pool.Worker) { w.Scope(func(s *pool.Scope) { s.GoN(w, -1, func(*pool.Worker, int) {}) }) },
		func(w *pool.Worker) { w.Scope(func(s *pool.Scope) { s.GoN(w, 1, nil) }) },
	} {
		if v := panicOf(func() { run(t, p, f) }); v == nil {
			t.Error("no panic")
		}
	}
	if s := quiet(p); s.References != 1 {
		t.Errorf("%d references, want the pool's own", s.References)
	}
}

// Catches: an absurd number of jobs, for which there is no memory, that costs more
// than a panic: references or units that are never given back.
func TestBatchOfTooMany(t *testing.T) {
	p := newPool(t, 1)
	nothing := func(*pool.Worker, int) {}
	for name, start := range map[string]func(){
		"Pool.GoN":   func() { _ = p.GoN(math.MaxInt, nothing) },
		"Worker.GoN": func() { run(t, p, func(w *pool.Worker) { w.GoN(math.MaxInt, nothing) }) },
		"Scope.GoN": func() {
			run(t, p, func(w *pool.Worker) { w.Scope(func(s *pool.Scope) { s.GoN(w, math.MaxInt, nothing) }) })
		},
	} {
		if v := panicOf(start); v == nil {
			t.Errorf("%s did not panic", name)
		}
		if s := quiet(p); s.References != 1 {
			t.Fatalf("%s: %d references, want the pool's own", name, s.References)
		}
	}
	works(t, p)
}

// Catches: a panic in one of a batch that loses the others.
func TestBatchPanic(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var ran atomic.Int32
		run(t, p, func(w *pool.Worker) {
			wantPanic(t, panicOf(func() {
				w.Scope(func(s *pool.Scope) {
					s.GoN(w, 10, func(_ *pool.Worker, i int) {
						ran.Add(1)
						if i == 3 {
							panic("three")
						}
					})
				})
			}), "three")
		})
		if n := ran.Load(); n != 10 {
			t.Errorf("%d of 10 ran", n)
		}
	})
}
