package pool_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
)

// A keyed is an element of which order looks at the key only.
type keyed struct{ key, serial int }

func byKey(a, b keyed) int { return cmp.Compare(a.key, b.key) }

// shapes are the inputs that sorts have trouble with: i is an index of n.
var shapes = map[string]func(rng *rand.Rand, i, n int) int{
	"random":      func(rng *rand.Rand, _, n int) int { return rng.IntN(n) },
	"few":         func(rng *rand.Rand, _, _ int) int { return rng.IntN(3) },
	"sorted":      func(_ *rand.Rand, i, _ int) int { return i },
	"reversed":    func(_ *rand.Rand, i, n int) int { return n - i },
	"equal":       func(*rand.Rand, int, int) int { return 7 },
	"organ pipe":  func(_ *rand.Rand, i, n int) int { return min(i, n-i) },
	"sawtooth":    func(_ *rand.Rand, i, _ int) int { return i % 100 },
	"descending":  func(_ *rand.Rand, i, n int) int { return (n - i) / 10 }, // with equal ones
	"one is late": func(_ *rand.Rand, i, n int) int { return (i + 1) % n },
}

func shaped(shape string, seed uint64, n int) []keyed {
	rng := rand.New(rand.NewPCG(seed, 0))
	s := make([]keyed, n)
	for i := range s {
		s[i] = keyed{shapes[shape](rng, i, n), i}
	}
	return s
}

func genShape() (names []any) {
	for name := range shapes {
		names = append(names, name)
	}
	return names
}

func sameElements(s []keyed, n int) bool {
	serials := make([]bool, n)
	for _, e := range s {
		if serials[e.serial] {
			return false
		}
		serials[e.serial] = true
	}
	return len(s) == n
}

// Catches: sorts that do not sort, lose an element, or (the stable one) exchange
// equal elements.
func TestSorts(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		check := func(shape string, seed uint64, n int) (wrong string) {
			s := shaped(shape, seed, n)
			want := slices.Clone(s)
			slices.SortStableFunc(want, byKey)
			run(t, p, func(w *pool.Worker) {
				stable := slices.Clone(s)
				pool.SortStableFunc(w, stable, byKey)
				if !slices.Equal(stable, want) {
					wrong = "SortStableFunc"
				}
				unstable := slices.Clone(s)
				pool.SortFunc(w, unstable, byKey)
				if !slices.IsSortedFunc(unstable, byKey) || !sameElements(unstable, n) {
					wrong = "SortFunc"
				}
				ints, wantInts := make([]int, n), make([]int, n)
				for i := range s {
					ints[i], wantInts[i] = s[i].key, want[i].key
				}
				pool.Sort(w, ints)
				if !slices.Equal(ints, wantInts) {
					wrong = "Sort"
				}
			})
			return wrong
		}
		proptest.Check(t, 60, 100, prop.ForAll(check, gen.OneConstOf(genShape()...), gen.UInt64(), gen.IntRange(0, 6000)))
		for shape := range shapes {
			if wrong := check(shape, 1, 40_000); wrong != "" { // merges and copies are parallel, too
				t.Errorf("%s of 40,000 elements, %s", wrong, shape)
			}
		}
	})
}

// Catches: NaNs that are elsewhere than slices.Sort puts them, or send a
// partition out of bounds.
func TestSortNaN(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{0, 1, 2, 10, 10_000} {
			for _, nans := range []int{0, 1, n / 3, n} {
				s := make([]float64, n)
				for i := range s {
					s[i] = rng.NormFloat64()
					if i%7 == 0 {
						s[i] = math.Inf(i%2*2 - 1)
					}
				}
				for i := range min(nans, n) {
					s[i] = math.NaN()
				}
				rng.Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
				want := slices.Clone(s)
				slices.Sort(want)
				run(t, p, func(w *pool.Worker) { pool.Sort(w, s) })
				if fmt.Sprint(s) != fmt.Sprint(want) {
					t.Errorf("%d elements, %d NaNs: differs from slices.Sort", n, nans)
				}
			}
		}
	})
}

// An adversary makes the worst of a quicksort's pivots (McIlroy, A Killer Adversary
// for Quicksort, 1999): it decides what an element is only when it must, and then
// makes those that are compared often small.
type adversary struct {
	value            []int
	solid, candidate int
	compared         int
}

func (a *adversary) order(x, y int) int {
	a.compared++
	gas := len(a.value)
	if a.value[x] == gas && a.value[y] == gas {
		if x == a.candidate {
			a.value[x] = a.solid
		} else {
			a.value[y] = a.solid
		}
		a.solid++
	}
	if a.value[x] == gas {
		a.candidate = x
	} else if a.value[y] == gas {
		a.candidate = y
	}
	return cmp.Compare(a.value[x], a.value[y])
}

// Catches: a quicksort that goes quadratic, or as deep as it has elements.
func TestSortIsNeverQuadratic(t *testing.T) {
	const n = 100_000
	p := newPool(t, 1) // the adversary is sequential
	a := &adversary{value: make([]int, n), solid: 2}
	for i := range a.value {
		a.value[i] = n
	}
	a.value[0], a.value[1] = 1, 0 // or the pass that looks whether s is sorted would make it so
	s := numbers(n)
	run(t, p, func(w *pool.Worker) { pool.SortFunc(w, s, a.order) })
	if limit := 6 * n * 17; a.compared > limit { // n log n is 17 n
		t.Errorf("%d comparisons of %d elements, want less than %d", a.compared, n, limit)
	}
	killer := make([]int, n)
	for i := range killer {
		killer[i] = a.value[i]
	}
	run(t, p, func(w *pool.Worker) { pool.Sort(w, killer) })
	if !slices.IsSorted(killer) {
		t.Error("not sorted")
	}
}

// Catches: an element that is lost or doubled when the order panics, or is none; a
// sort that panics while others still work on the slice.
func TestSortsWithBrokenOrders(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const n = 20_000
		sorts := map[string]func(w *pool.Worker, s []keyed, order func(a, b keyed) int){
			"SortFunc": pool.SortFunc[[]keyed], "SortStableFunc": pool.SortStableFunc[[]keyed],
		}
		for name, sort := range sorts {
			for _, after := range []int64{1, 100, 30_000, 100_000, 200_000} {
				var compared atomic.Int64
				var over atomic.Bool
				s := shaped("random", 3, n)
				run(t, p, func(w *pool.Worker) {
					v := panicOf(func() {
						sort(w, s, func(a, b keyed) int {
							if compared.Add(1) == after {
								panic(errTest)
							}
							if over.Load() {
								t.Errorf("%s continues, although it has panicked", name)
							}
							return byKey(a, b)
						})
					})
					over.Store(true)
					if e, ok := v.(*pool.PanicError); v != errTest && (!ok || e.Value != errTest) {
						t.Errorf("%s, comparison %d panics: panicked with %v", name, after, v)
					}
					if !sameElements(s, n) {
						t.Errorf("%s, comparison %d panics: elements are lost", name, after)
					}
				})
			}
			for order, f := range map[string]func(a, b keyed) int{
				"always less":    func(a, b keyed) int { return -1 },
				"always greater": func(a, b keyed) int { return 1 },
				"nonsense":       func(a, b keyed) int { return (a.serial*31+b.serial*17)%3 - 1 },
			} {
				s := shaped("random", 3, n)
				run(t, p, func(w *pool.Worker) { sort(w, s, f) })
				if !sameElements(s, n) {
					t.Errorf("%s with an order that is %s: elements are lost", name, order)
				}
			}
		}
		works(t, p)
	})
}

// Catches: sorts that hang in each other.
func TestSortsInLoops(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		lists := make([][]string, 10)
		for i := range lists {
			for _, k := range shaped("random", uint64(i), 5000) {
				lists[i] = append(lists[i], fmt.Sprint(k.key))
			}
		}
		run(t, p, func(w *pool.Worker) {
			pool.ForEach(w, lists, func(w *pool.Worker, list *[]string) {
				pool.Sort(w, *list)
				pool.SortStableFunc(w, *list, func(a, b string) int { return strings.Compare(b, a) })
			}, pool.MaxLen(1))
		})
		for i, list := range lists {
			if !slices.IsSortedFunc(list, func(a, b string) int { return strings.Compare(b, a) }) {
				t.Errorf("list %d is not sorted", i)
			}
		}
	})
}

func TestSortsRefuseNil(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		for _, v := range []any{
			panicOf(func() { pool.SortFunc(w, []int{2, 1}, nil) }),
			panicOf(func() { pool.SortStableFunc(w, []int{2, 1}, nil) }),
		} {
			if v != pool.ErrNoFunction {
				t.Errorf("panicked with %v", v)
			}
		}
	})
}
