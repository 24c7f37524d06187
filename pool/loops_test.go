package pool_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
)

// numbers returns 0 to n-1.
func numbers(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Catches: a loop that leaves out an element, does one twice, or returns before all
// are done.
func TestForLoopsDoEachElementOnce(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		proptest.Check(t, 60, 100, prop.ForAll(func(n, minLen, maxLen int) string {
			opts := []pool.LoopOption{pool.MinLen(minLen), pool.MaxLen(maxLen)}
			for name, loop := range map[string]func(w *pool.Worker, done []int){
				"For": func(w *pool.Worker, done []int) {
					pool.For(w, n, func(_ *pool.Worker, i int) { done[i]++ }, opts...)
				},
				"ForRange": func(w *pool.Worker, done []int) {
					pool.ForRange(w, n, func(_ *pool.Worker, lo, hi int) {
						if hi <= lo {
							t.Errorf("called for nothing: %d to %d", lo, hi)
						}
						for i := lo; i < hi; i++ {
							done[i]++
						}
					}, opts...)
				},
				"ForEach": func(w *pool.Worker, done []int) {
					pool.ForEach(w, done, func(_ *pool.Worker, e *int) { *e++ }, opts...)
				},
			} {
				done := make([]int, n) // plain: the race detector sees an early return
				run(t, p, func(w *pool.Worker) { loop(w, done) })
				for i, times := range done {
					if times != 1 {
						return fmt.Sprintf("%s did element %d of %d %d times", name, i, n, times)
					}
				}
			}
			return ""
		}, gen.IntRange(0, 3000), gen.IntRange(1, 20), gen.IntRange(1, 200)))
	})
}

// Catches: results that differ from the sequential ones: elements out of order, an
// init that is used for each leaf, a combine that is given its arguments the wrong
// way round.
func TestLoopsMeanTheSequentialOnes(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		proptest.Check(t, 60, 100, prop.ForAll(func(n, minLen, maxLen, modulus int) (wrong string) {
			opts := []pool.LoopOption{pool.MinLen(minLen), pool.MaxLen(maxLen)}
			s := numbers(n)
			text := make([]string, n)
			for i := range text {
				text[i] = fmt.Sprint(i, ",")
			}
			differs := func(what string, got, want any) {
				if wrong == "" && fmt.Sprint(got) != fmt.Sprint(want) {
					wrong = fmt.Sprintf("%s of %d is %v, want %v", what, n, got, want)
				}
			}
			odd := func(_ *pool.Worker, e int) bool { return e%modulus == 1 }
			first := slices.IndexFunc(s, func(e int) bool { return odd(nil, e) })
			run(t, p, func(w *pool.Worker) {
				differs("Map", pool.Map(w, s, func(_ *pool.Worker, e int) string { return fmt.Sprint(e, ",") }, opts...), text)

				differs("Filter", pool.Filter(w, s, odd, opts...),
					slices.DeleteFunc(slices.Clone(s), func(e int) bool { return !odd(nil, e) }))

				concat := func(_ *pool.Worker, a, b string) string { return a + b } // not commutative
				differs("Reduce", pool.Reduce(w, text, "start ", concat, opts...), "start "+strings.Join(text, ""))

				differs("Fold", pool.Fold(w, s, func() string { return "" },
					func(_ *pool.Worker, acc string, e int) string { return acc + text[e] }, concat, opts...),
					strings.Join(text, ""))

				differs("FoldRange", pool.FoldRange(w, n, func() []int { return nil },
					func(_ *pool.Worker, acc []int, lo, hi int) []int { return append(acc, s[lo:hi]...) },
					func(_ *pool.Worker, a, b []int) []int { return append(a, b...) }, opts...), s)

				i, ok := pool.Find(w, s, odd, opts...)
				differs("Find", i, first)
				differs("Find's ok", ok, first >= 0)

				i, ok = pool.FindAny(w, s, odd, opts...)
				differs("FindAny's ok", ok, first >= 0)
				differs("FindAny's element", i >= 0 && odd(nil, s[i]), ok)
			})
			return wrong
		}, gen.IntRange(0, 2000), gen.IntRange(1, 20), gen.IntRange(1, 200), gen.IntRange(2, 500)))
	})
}

// Catches: a search that continues behind what it has found. (In a pool of one the
// order is that of the elements.)
func TestFindStopsEarly(t *testing.T) {
	p := newPool(t, 1)
	for name, find := range map[string]func(*pool.Worker, []int, func(*pool.Worker, int) bool, ...pool.LoopOption) (int, bool){
		"Find": pool.Find[int], "FindAny": pool.FindAny[int],
	} {
		for _, maxLen := range []int{1, 10, 1000} {
			looked := 0
			run(t, p, func(w *pool.Worker) {
				i, ok := find(w, numbers(1000), func(_ *pool.Worker, e int) bool { looked++; return e >= 100 }, pool.MaxLen(maxLen))
				if i != 100 || !ok {
					t.Errorf("%s = %d, %t", name, i, ok)
				}
			})
			if looked != 101 {
				t.Errorf("%s with leaves of %d looked at %d elements", name, maxLen, looked)
			}
		}
	}
}

// Catches: a Find that returns what is found first, and not what is first in order: the
// first match waits until the last one is found. And a FindAny that does not end the
// others' search: the part in front of the match is searched to its end.
func TestFindPrefersTheFirst(t *testing.T) {
	p := newPool(t, 2)
	for range 50 {
		found := newGate()
		run(t, p, func(w *pool.Worker) {
			i, ok := pool.Find(w, numbers(8), func(_ *pool.Worker, e int) bool {
				switch e {
				case 0:
					found.wait()
				case 7:
					found.open()
				}
				return e == 1 || e == 7
			})
			if i != 1 || !ok {
				t.Errorf("Find = %d, %t, want 1, true", i, ok)
			}
		})
	}
	for range 50 {
		begun := newGate()
		run(t, p, func(w *pool.Worker) {
			s := numbers(1 << 16)
			i, ok := pool.FindAny(w, s, func(w *pool.Worker, e int) bool {
				if e == 0 {
					begun.wait()
				}
				if e == len(s)-1 {
					begun.open()
					return true
				}
				return false
			})
			if i != len(s)-1 || !ok {
				t.Errorf("FindAny = %d, %t", i, ok)
			}
		})
	}
}

// Catches: a panic that is lost, of the wrong element, or that keeps other leaves
// from being done; a pool that has suffered from it.
func TestLoopPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const n = 1000
		for range 10 {
			for _, bad := range [][]int{{0}, {n - 1}, {500, 700}, {3, 500, 998}} {
				var done [n]int
				e := wantPanic(t, panicOf(func() {
					run(t, p, func(w *pool.Worker) {
						pool.For(w, n, func(_ *pool.Worker, i int) {
							if slices.Contains(bad, i) {
								panic(i)
							}
							done[i]++
						}, pool.MaxLen(1))
						t.Error("For has returned")
					})
				}), bad[0])
				if len(e.Stack) == 0 {
					t.Error("no stack")
				}
				for i, times := range done {
					if (times == 1) == slices.Contains(bad, i) || times > 1 {
						t.Errorf("bad %v: element %d was done %d times", bad, i, times)
					}
				}
			}
		}
		works(t, p)
	})
}

// Catches: a panic of the other functions that comes out as something else.
func TestPanicsOfAllLoops(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		s := numbers(100)
		for name, loop := range map[string]func(w *pool.Worker){
			"ForEach": func(w *pool.Worker) {
				pool.ForEach(w, s, func(_ *pool.Worker, e *int) {
					if *e == 50 {
						panic(errTest)
					}
				})
			},
			"ForRange": func(w *pool.Worker) { pool.ForRange(w, 100, func(*pool.Worker, int, int) { panic(errTest) }) },
			"Map":      func(w *pool.Worker) { pool.Map(w, s, func(*pool.Worker, int) int { panic(errTest) }) },
			"Filter":   func(w *pool.Worker) { pool.Filter(w, s, func(*pool.Worker, int) bool { panic(errTest) }) },
			"Find":     func(w *pool.Worker) { pool.Find(w, s, func(*pool.Worker, int) bool { panic(errTest) }) },
			"Reduce":   func(w *pool.Worker) { pool.Reduce(w, s, 0, func(*pool.Worker, int, int) int { panic(errTest) }) },
			"Fold, combining": func(w *pool.Worker) {
				pool.Fold(w, s, func() int { return 0 }, func(*pool.Worker, int, int) int { return 0 },
					func(*pool.Worker, int, int) int { panic(errTest) }, pool.MaxLen(10))
			},
		} {
			t.Run(name, func(t *testing.T) {
				wantPanic(t, panicOf(func() { run(t, p, loop) }), errTest)
				run(t, p, func(w *pool.Worker) { // recovered inside, it may be the value itself
					v := panicOf(func() { loop(w) })
					if e, ok := v.(*pool.PanicError); v != errTest && (!ok || e.Value != errTest) {
						t.Errorf("panicked with %v", v)
					}
				})
			})
		}
		works(t, p)
	})
}

// Catches: a loop that panics while others of its leaves still run; and one that goes
// wrong when its leaves recover the panics of loops within them.
func TestLoopPanicsRecoveredByLeaves(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const outer, inner = 50, 20
		var done [outer * inner]int
		run(t, p, func(w *pool.Worker) {
			pool.For(w, outer, func(w *pool.Worker, i int) {
				part := done[i*inner:][:inner]
				panicOf(func() {
					pool.For(w, inner, func(_ *pool.Worker, j int) {
						part[j]++
						if j == i%inner {
							panic("recovered")
						}
					}, pool.MaxLen(1))
				})
				for j, times := range part {
					if times != 1 {
						t.Errorf("when the loop in leaf %d had panicked, its element %d was done %d times", i, j, times)
					}
				}
			}, pool.MaxLen(1))
		})
	})
}

// Catches: loops that wait for each other when they are nested, in a pool of one
// most of all.
func TestLoopsInLoops(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var sum atomic.Int64
		run(t, p, func(w *pool.Worker) {
			pool.For(w, 10, func(w *pool.Worker, i int) {
				pool.ForEach(w, numbers(10), func(w *pool.Worker, e *int) {
					sum.Add(int64(pool.Reduce(w, numbers(10), i**e, func(w *pool.Worker, a, b int) int {
						w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
						return a + b
					}, pool.MaxLen(1))))
				}, pool.MaxLen(1))
			}, pool.MaxLen(1))
		})
		if want := int64(45*45 + 100*45); sum.Load() != want {
			t.Errorf("sum %d, want %d", sum.Load(), want)
		}
	})
}

// Catches: leaves that are not all taken while workers sleep: each one waits here
// until all have begun. Not something to rely on: while all workers are busy, leaves
// wait for them.
func TestLeavesRunAllAtOnce(t *testing.T) {
	const workers = 16
	p := newPool(t, workers)
	for name, opts := range map[string][]pool.LoopOption{"default": nil, "MaxLen(1)": {pool.MaxLen(1)}} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				var begun atomic.Int32
				all := newGate()
				run(t, p, func(w *pool.Worker) {
					pool.For(w, workers, func(*pool.Worker, int) {
						if begun.Add(1) == workers {
							all.open()
						}
						all.wait()
					}, opts...)
				})
			}
		})
	}
}

// Catches: elements that are begun after the context has ended, and a loop that
// then does not return. In a pool of one, what has not begun when element 100 ends
// the context is all that follows.
func TestLoopWithContext(t *testing.T) {
	p := newPool(t, 1)
	ctx, cancel := context.WithCancel(background)
	run(t, p, func(w *pool.Worker) {
		results := pool.Map(w, numbers(1000), func(_ *pool.Worker, e int) int {
			if e == 100 {
				cancel()
			}
			return e + 1
		}, pool.MaxLen(1), pool.Until(ctx))
		if want := append(numbers(102)[1:], make([]int, 899)...); !slices.Equal(results, want) {
			t.Errorf("Map = %v", results)
		}

		before := 0
		pool.For(w, 10, func(*pool.Worker, int) { before++ }, pool.Until(ctx))
		kept := pool.Filter(w, numbers(10), func(*pool.Worker, int) bool { before++; return true }, pool.Until(ctx))
		sum := pool.Reduce(w, numbers(10), 42, func(_ *pool.Worker, a, b int) int { before++; return a + b }, pool.Until(ctx))
		if before != 0 || kept != nil || sum != 42 {
			t.Errorf("the context had ended: %d calls, Filter = %v, Reduce = %v", before, kept, sum)
		}
	})
	each(t, func(t *testing.T, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		var done atomic.Int32
		run(t, p, func(w *pool.Worker) {
			sum := pool.Reduce(w, numbers(100_000), 0, func(_ *pool.Worker, _, b int) int {
				switch n := done.Add(1); {
				case n == 1000:
					cancel()
				case n > 1000:
					<-ctx.Done() // the canceller may be waiting for a processor
				}
				return b
			}, pool.MaxLen(10), pool.Until(ctx))
			if sum == 99_999 {
				t.Error("the last element was done, too")
			}
		})
	})
}

// rayon's cross_pool_busy (tests/cross-pool.rs): each element runs in another pool,
// and the first pool continues with other elements meanwhile.
func TestLoopAcrossPools(t *testing.T) {
	p, other := newPool(t, 1), newPool(t, 1)
	const n = 100
	run(t, p, func(w *pool.Worker) {
		sum := pool.FoldRange(w, n, func() int { return 0 }, func(w *pool.Worker, acc, lo, hi int) int {
			for i := lo; i < hi; i++ {
				if err := w.Run(other, func(*pool.Worker) error { acc += i + 1; return nil }); err != nil {
					t.Error(err)
				}
			}
			return acc
		}, func(_ *pool.Worker, a, b int) int { return a + b }, pool.MaxLen(1))
		if sum != n*(n+1)/2 {
			t.Errorf("sum %d", sum)
		}
	})
}

// Catches: loops that begin something although there is nothing to do.
func TestLoopsOverNothing(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, func(w *pool.Worker) {
		var none []int
		two := func(*pool.Worker, int, int) int { t.Error("called"); return 0 }
		chosen := func(*pool.Worker, int) bool { t.Error("called"); return true }
		pool.For(w, 0, func(*pool.Worker, int) { t.Error("called") })
		pool.ForRange(w, 0, func(*pool.Worker, int, int) { t.Error("called") })
		pool.ForEach(w, none, func(*pool.Worker, *int) { t.Error("called") })
		if got := pool.Map(w, none, func(*pool.Worker, int) int { return 1 }); len(got) != 0 {
			t.Errorf("Map = %v", got)
		}
		if got := pool.Filter(w, none, chosen); got != nil {
			t.Errorf("Filter = %v", got)
		}
		if got := pool.Reduce(w, none, 7, two); got != 7 {
			t.Errorf("Reduce = %d", got)
		}
		if got := pool.Fold(w, none, func() int { return 7 }, two, two); got != 7 {
			t.Errorf("Fold = %d", got)
		}
		if i, ok := pool.Find(w, none, chosen); i != -1 || ok {
			t.Errorf("Find = %d, %t", i, ok)
		}
		pool.ForEachSeq(w, func(func(int) bool) {}, func(*pool.Worker, int) { t.Error("called") })
		if got := pool.MapSeq(w, func(func(int) bool) {}, func(*pool.Worker, int) int { return 1 }); len(got) != 0 {
			t.Errorf("MapSeq = %v", got)
		}
		pool.Sort(w, none)
		pool.SortStableFunc(w, none, func(a, b int) int { t.Error("called"); return 0 })
	})
}

// Catches: loops that do not work isolated, where a wait runs nothing but the loop's
// own leaves.
func TestLoopIsolated(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		done := make([]int, 500)
		run(t, p, func(w *pool.Worker) {
			w.Isolated(func(w *pool.Worker) {
				pool.For(w, 50, func(w *pool.Worker, i int) {
					pool.ForEach(w, done[10*i:10*i+10], func(_ *pool.Worker, e *int) { *e++ }, pool.MaxLen(1))
				}, pool.MaxLen(1))
			})
		})
		for i, times := range done {
			if times != 1 {
				t.Errorf("element %d was done %d times", i, times)
			}
		}
	})
}

// Catches: options and functions that are wrong and do something all the same.
func TestLoopsRefuse(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		s := []int{1}
		one := func() int { return 1 }
		add := func(_ *pool.Worker, a, b int) int { return a + b }
		for name, f := range map[string]func(){
			"For":              func() { pool.For(w, 1, nil) },
			"ForRange":         func() { pool.ForRange(w, 1, nil) },
			"ForEach":          func() { pool.ForEach(w, s, nil) },
			"Map":              func() { pool.Map[int, int](w, s, nil) },
			"Filter":           func() { pool.Filter(w, s, nil) },
			"Find":             func() { pool.Find(w, s, nil) },
			"FindAny":          func() { pool.FindAny(w, s, nil) },
			"Reduce":           func() { pool.Reduce(w, s, 0, nil) },
			"Fold's init":      func() { pool.Fold(w, s, nil, add, add) },
			"Fold's fold":      func() { pool.Fold(w, s, one, nil, add) },
			"Fold's combine":   func() { pool.Fold(w, s, one, add, nil) },
			"FoldRange's fold": func() { pool.FoldRange(w, 1, one, nil, add) },
		} {
			if v := panicOf(f); v != pool.ErrNoFunction {
				t.Errorf("%s of nil panicked with %v", name, v)
			}
		}
		nothing := func(*pool.Worker, int) {}
		var noContext context.Context
		for want, f := range map[string]func(){
			"pool: MinLen(0): want 1 or more elements":                  func() { pool.MinLen(0) },
			"pool: MaxLen(-1): want 1 or more elements":                 func() { pool.MaxLen(-1) },
			"pool: Until(nil): want a context, or leave the option out": func() { pool.Until(noContext) },
			"pool: a loop over -1 elements: want 0 or more":             func() { pool.For(w, -1, nothing) },
			"pool: a loop over -2 elements: want 0 or more":             func() { pool.FoldRange(w, -2, one, func(_ *pool.Worker, a, _, _ int) int { return a }, add) },
		} {
			v := panicOf(f)
			if err, ok := v.(error); !ok || err.Error() != want {
				t.Errorf("panicked with %v, want the error %q", v, want)
			}
		}
	})
}
