package pool_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
)

// count yields 0, 1, 2 and so on, n times; yielded says how far it came.
func count(n int, yielded *int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if yielded != nil {
				*yielded = i + 1
			}
			if !yield(i) {
				return
			}
		}
	}
}

// Catches: a value that is lost, done twice, or not done when the loop returns;
// results that are out of order.
func TestSeqLoopsDoEachValueOnce(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		proptest.Check(t, 60, 100, prop.ForAll(func(n, minLen, maxLen int, defaults bool) (wrong string) {
			opts := []pool.LoopOption{pool.MinLen(minLen), pool.MaxLen(maxLen)}
			if defaults {
				opts = nil
			}
			done := make([]int, n) // plain: the race detector sees an early return
			run(t, p, func(w *pool.Worker) {
				pool.ForEachSeq(w, count(n, nil), func(_ *pool.Worker, i int) { done[i]++ }, opts...)
				for i, times := range done {
					if times != 1 {
						wrong = fmt.Sprintf("value %d was done %d times", i, times)
					}
				}
				got := pool.MapSeq(w, count(n, nil), func(_ *pool.Worker, i int) int { return i }, opts...)
				if !slices.Equal(got, numbers(n)) {
					wrong = fmt.Sprintf("MapSeq = %v", got)
				}
			})
			return wrong
		}, gen.IntRange(0, 5000), gen.IntRange(1, 20), gen.IntRange(1, 300), gen.Bool()))
	})
}

// Catches: batches that are not as long as the options say, or that grow without end.
func TestSeqBatches(t *testing.T) {
	for _, c := range []struct {
		opts    []pool.LoopOption
		longest int
	}{
		{nil, 256},
		{[]pool.LoopOption{pool.MaxLen(1)}, 1},
		{[]pool.LoopOption{pool.MaxLen(100)}, 100},
		{[]pool.LoopOption{pool.MinLen(1000)}, 1000},
		{[]pool.LoopOption{pool.MinLen(7), pool.MaxLen(3)}, 7},
	} {
		p := newPool(t, 1) // a batch is done as soon as it is full
		yielded, next, longest := 0, 0, 0
		run(t, p, func(w *pool.Worker) {
			pool.ForEachSeq(w, count(20_000, &yielded), func(_ *pool.Worker, i int) {
				if i != next {
					t.Errorf("value %d is done after %d", i, next-1)
				}
				next++
				longest = max(longest, yielded-i)
			}, c.opts...)
		})
		if longest != c.longest {
			t.Errorf("%d options: batches of up to %d, want %d", len(c.opts), longest, c.longest)
		}
	}
}

// Catches: memory that grows with the sequence while no other worker is free: what
// has been yielded and not begun is bounded.
func TestSeqIsBounded(t *testing.T) {
	const n = 100_000
	p := newPool(t, 2)
	busy, release := newGate(), newGate()
	run(t, p, func(w *pool.Worker) {
		w.Scope(func(s *pool.Scope) {
			s.Go(w, func(*pool.Worker) { busy.open(); release.wait() })
			busy.wait() // the other worker has it
			yielded, done, most := 0, 0, 0
			pool.ForEachSeq(w, count(n, &yielded), func(_ *pool.Worker, i int) {
				most = max(most, yielded-done)
				done++
				if i%10_000 == 0 {
					if jobs := p.State().Workers[w.Index()].Jobs; jobs > 10 {
						t.Errorf("%d jobs are in the deque", jobs)
					}
				}
			})
			if done != n || most > 6*256 { // four batches out, the one in hand, the next
				t.Errorf("did %d of %d values, with up to %d waiting", done, n, most)
			}
			release.open()
		})
	})
}

// Catches: a value that waits for a full batch while other workers have nothing to
// do: the sequence continues only when it has been done.
func TestSeqHandsOutAtOnceToIdleWorkers(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, func(w *pool.Worker) {
		done := make(chan int)
		pool.ForEachSeq(w, func(yield func(int) bool) {
			for i := range 1000 {
				if !yield(i) {
					t.Error("stopped")
				}
				if got := <-done; got != i {
					t.Errorf("did %d, want %d", got, i)
				}
				for p.State().Workers[1-w.Index()].WaitsFor == "" { // until it is free again
					runtime.Gosched()
				}
			}
		}, func(_ *pool.Worker, i int) { done <- i })
	})
}

// rayon's par_bridge_recursion (tests/par_bridge_recursion.rs), for BUG-51 and
// BUG-52: sequences that fork when they are iterated, within a loop, on all workers
// of a pool at once.
func TestParBridgeRecursion(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
	for _, workers := range []int{1, 2, 10} {
		p := newPool(t, workers)
		err := p.Broadcast(background, func(w *pool.Worker) {
			got := slices.Concat(pool.Map(w, numbers(n), func(w *pool.Worker, i int) []string {
				return pool.MapSeq(w, func(yield func(string) bool) {
					var number, text string
					w.Join(
						func(*pool.Worker) { number = strconv.Itoa(i) },
						func(*pool.Worker) { text = fmt.Sprint(i) })
					yield(number + text)
				}, func(_ *pool.Worker, s string) string { return s })
			}, pool.MaxLen(3))...)
			for i, s := range got {
				if s != strconv.Itoa(i)+strconv.Itoa(i) {
					t.Errorf("element %d is %q", i, s)
				}
			}
			if len(got) != n {
				t.Errorf("%d elements, want %d", len(got), n)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// BUG-50, BUG-51: sequences and bodies that fork and loop and iterate in turn must
// not wait for themselves, in a pool of one least of all.
func TestSeqInSeq(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var sum atomic.Int64
		run(t, p, func(w *pool.Worker) {
			forking := func(w *pool.Worker, n int) iter.Seq[int] {
				return func(yield func(int) bool) {
					pool.For(w, 10, func(*pool.Worker, int) {}, pool.MaxLen(1))
					pool.ForEachSeq(w, count(n, nil), func(*pool.Worker, int) { sum.Add(1) })
					for i := range n {
						w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
						if !yield(i) {
							return
						}
					}
				}
			}
			pool.ForEachSeq(w, forking(w, 30), func(w *pool.Worker, i int) {
				w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
				pool.ForEachSeq(w, forking(w, i), func(*pool.Worker, int) { sum.Add(1) })
			})
			w.Isolated(func(w *pool.Worker) {
				pool.ForEachSeq(w, forking(w, 30), func(*pool.Worker, int) { sum.Add(1) })
			})
		})
		if want := int64(30 + 2*29*30/2 + 60); sum.Load() != want {
			t.Errorf("%d bodies ran, want %d", sum.Load(), want)
		}
	})
}

// Catches: a panic that does not stop the iteration, is lost, unwinds the sequence
// (which recovers it here), or keeps values that were yielded from being done.
func TestSeqBodyPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, bad := range []int{0, 1, 10, 500} {
			yielded, cleaned := 0, false
			done := make([]atomic.Int32, 1<<20)
			endless := func(yield func(int) bool) {
				defer func() {
					if v := recover(); v != nil {
						t.Errorf("the sequence was unwound by %v", v)
					}
					cleaned = true
				}()
				for i := 0; yield(i); i++ {
					yielded = i + 1
				}
				yielded++ // the last one is yielded, too
				if yield(-1) {
					t.Error("the sequence was stopped and then continued")
				}
			}
			wantPanic(t, panicOf(func() {
				run(t, p, func(w *pool.Worker) {
					pool.ForEachSeq(w, endless, func(_ *pool.Worker, i int) {
						if i < 0 {
							t.Error("a value was done that was yielded after the end")
							return
						}
						if i == bad {
							panic(errTest)
						}
						done[i%len(done)].Add(1)
					}, pool.MaxLen(1))
				})
			}), errTest)
			if !cleaned {
				t.Error("the sequence was not ended")
			}
			for i := range min(yielded, len(done)) {
				if want := i != bad; want != (done[i].Load() > 0) {
					t.Errorf("value %d of %d that were yielded: done %t", i, yielded, !want)
					break
				}
			}
		}
		works(t, p)
	})
}

// Catches: a panic or Goexit of the sequence, after which what it has yielded is not
// done, or a caller waits for ever; and Goexit of a body.
func TestSeqPanicsAndGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ends := map[string]func(){"panic": func() { panic(errTest) }, "Goexit": runtime.Goexit}
		for name, end := range ends {
			var done atomic.Int32
			var err error
			v := panicOf(func() {
				err = p.Run(background, func(w *pool.Worker) error {
					pool.ForEachSeq(w, func(yield func(int) bool) {
						count(1000, nil)(yield)
						end()
					}, func(*pool.Worker, int) { done.Add(1) }, pool.MinLen(3))
					t.Error("ForEachSeq has returned")
					return nil
				})
			})
			if name == "panic" {
				wantPanic(t, v, errTest)
			} else if err != pool.ErrGoexit {
				t.Errorf("%s: %v", name, err)
			}
			if done.Load() != 1000 {
				t.Errorf("%s: %d of 1000 values were done", name, done.Load())
			}
		}
		stopped := false
		err := p.Run(background, func(w *pool.Worker) error {
			pool.ForEachSeq(w, func(yield func(int) bool) {
				defer func() { stopped = true }()
				for yield(0) {
				}
			}, func(*pool.Worker, int) { runtime.Goexit() })
			t.Error("ForEachSeq has returned")
			return nil
		})
		if err != pool.ErrGoexit || !stopped {
			t.Errorf("Goexit of a body: %v, the sequence has ended: %t", err, stopped)
		}
		err = p.Run(background, func(w *pool.Worker) error { // of one body, on another worker if there is one
			begun := newGate()
			pool.ForEachSeq(w, func(yield func(int) bool) {
				for i := 0; yield(i); i++ {
					if i == 0 {
						begun.wait()
					}
				}
			}, func(_ *pool.Worker, i int) {
				if i == 0 {
					begun.open()
					runtime.Goexit()
				}
			})
			return nil
		})
		if err != pool.ErrGoexit {
			t.Errorf("Goexit of the first body: %v", err)
		}
		works(t, p)
	})
}

// Catches: an endless sequence that continues when the context has ended, and batches
// that are begun then.
func TestSeqWithContext(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		var done, late atomic.Int32
		var ended atomic.Bool
		run(t, p, func(w *pool.Worker) {
			pool.ForEachSeq(w, func(yield func(int) bool) {
				for yield(0) {
				}
			}, func(*pool.Worker, int) {
				if ended.Load() {
					late.Add(1)
				}
				if done.Add(1) == 100 {
					cancel()
					ended.Store(true)
				}
			}, pool.Until(ctx), pool.MaxLen(1))
		})
		if n := late.Load(); int(n) > p.Workers() { // those that were about to begin
			t.Errorf("%d bodies ran after the end of the context", n)
		}
		run(t, p, func(w *pool.Worker) {
			got := pool.MapSeq(w, func(func(int) bool) { t.Error("iterated") }, func(_ *pool.Worker, i int) int { return i }, pool.Until(ctx))
			if len(got) != 0 {
				t.Errorf("MapSeq = %v", got)
			}
		})
	})
}

// Catches: bodies that are done in place and have lost the caller's isolation.
func TestSeqIsolated(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		w.Scope(func(s *pool.Scope) {
			s.Go(w, func(*pool.Worker) {}) // stays in the deque
			w.Isolated(func(w *pool.Worker) {
				pool.ForEachSeq(w, count(10, nil), func(w *pool.Worker, _ int) {
					if w.YieldNow() {
						t.Error("an isolated body ran another job")
					}
				})
			})
		})
	})
}

// Catches: workers that are left without values, although there are enough: each body
// waits here until as many have begun as there are workers. (w has to come to its own
// share: the other workers' batches are out then.)
func TestSeqUsesAllWorkers(t *testing.T) {
	const workers = 4
	p := newPool(t, workers)
	for range 20 {
		var begun atomic.Int32
		all := newGate()
		run(t, p, func(w *pool.Worker) {
			pool.ForEachSeq(w, count(100, nil), func(*pool.Worker, int) {
				if begun.Add(1) == workers {
					all.open()
				}
				all.wait()
			})
		})
	}
}

func TestSeqLoopsOverOtherSequences(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, func(w *pool.Worker) {
		lengths := pool.MapSeq(w, maps.Keys(map[string]bool{"wake": true, "sleep": true}), func(_ *pool.Worker, s string) int { return len(s) })
		slices.Sort(lengths)
		if !slices.Equal(lengths, []int{4, 5}) {
			t.Errorf("%v", lengths)
		}
	})
}

func TestSeqLoopsRefuseNil(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		for name, f := range map[string]func(){
			"ForEachSeq's seq":  func() { pool.ForEachSeq(w, nil, func(*pool.Worker, int) {}) },
			"ForEachSeq's body": func() { pool.ForEachSeq(w, count(1, nil), nil) },
			"MapSeq's seq":      func() { pool.MapSeq(w, nil, func(_ *pool.Worker, i int) int { return i }) },
			"MapSeq's f":        func() { pool.MapSeq[int, int](w, count(1, nil), nil) },
		} {
			if v := panicOf(f); v != pool.ErrNoFunction {
				t.Errorf("nil as %s panicked with %v", name, v)
			}
		}
	})
}
