package pool

import (
	gocontext "context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic" // of the oracle, which no engine is to see

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
)

// dataWorkload: loops over data compute the same as a sequential loop.
var dataWorkload = workload{
	name: "data",
	about: "Loops over data, that many elements (jobs) in leaves of up to that many: searches, folds, sequences and sorts come to what sequential ones come to, " +
		"a search for any element to the first one found; a sequence's values do not wait for a full batch while workers are idle. " +
		"A loop whose context ends meanwhile does a part, each element at most once, and begins no leaf after that.",
	uses:     []string{"jobs", "leaf", "repeat", "pause"},
	defaults: sizes{jobs: 3000, leaf: 16, repeat: 6, pause: defaultPause},
	small:    sizes{jobs: 4, leaf: 1, repeat: 2},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.data(p, computations)
		x.finish(p)
	},
}

// A computation compares its result with the expected one; run returns "" if they are equal.
type computation struct {
	name string
	run  func(w *pool.Worker, elements []int, opts ...pool.LoopOption) (wrong string)
}

// differs compares two results.
func differs[T comparable](got, want T) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%v, want %v", got, want)
}

// differ compares two slices.
func differ[T comparable](got, want []T) string {
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("%v, want %v", got, want)
}

// rare elements are searched for.
func rare(e int) bool { return e%5 == 0 }

var computations = []computation{
	{"Find", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		i, _ := pool.Find(w, s, func(_ *pool.Worker, e int) bool { return rare(e) }, opts...)
		if wrong := differs(i, slices.IndexFunc(s, rare)); wrong != "" {
			return wrong
		}
		return findsLeftmost(w, len(s), pool.Find[int], opts)
	}},
	{"FindAny", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		i, ok := pool.FindAny(w, s, func(_ *pool.Worker, e int) bool { return rare(e) }, opts...)
		if ok && !rare(s[i]) {
			return fmt.Sprintf("found element %d, which is %d", i, s[i])
		}
		if wrong := differs(ok, slices.ContainsFunc(s, rare)); wrong != "" {
			return wrong
		}
		return findsFirst(w, len(s), pool.FindAny[int], opts)
	}},
	{"Fold", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		return differ(pool.Fold(w, s, func() []int { return nil },
			func(_ *pool.Worker, acc []int, e int) []int { return append(acc, e) },
			func(_ *pool.Worker, a, b []int) []int { return append(a, b...) }, opts...), s)
	}},
	{"Reduce", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		want := 1
		for _, e := range s {
			want = affine(want, e)
		}
		// Composition of x*a+b is associative, and not commutative.
		lines := make([][2]int, len(s))
		for i, e := range s {
			lines[i] = [2]int{slope, e}
		}
		line := pool.Reduce(w, lines, [2]int{1, 0}, func(_ *pool.Worker, a, b [2]int) [2]int {
			return [2]int{a[0] * b[0] % modulus, (a[1]*b[0] + b[1]) % modulus}
		}, opts...)
		return differs((line[0]+line[1])%modulus, want)
	}},
	{"MapSeq", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		if wrong := handsOut(w, pool.MapSeq[int, int]); wrong != "" {
			return wrong
		}
		return differ(pool.MapSeq(w, slices.Values(s), func(_ *pool.Worker, e int) int { return e }, opts...), s)
	}},
	{"Sort", func(w *pool.Worker, s []int, _ ...pool.LoopOption) string {
		got, want := slices.Clone(s), slices.Sorted(slices.Values(s))
		pool.Sort(w, got)
		return differ(got, want)
	}},
	{"SortFunc", func(w *pool.Worker, s []int, _ ...pool.LoopOption) string {
		got, want := slices.Clone(s), slices.Sorted(slices.Values(s))
		slices.Reverse(want)
		pool.SortFunc(w, got, func(a, b int) int { return b - a })
		return differ(got, want)
	}},
	{"SortStableFunc", func(w *pool.Worker, s []int, _ ...pool.LoopOption) string {
		got, want := slices.Clone(s), slices.Clone(s)
		tens := func(a, b int) int { return a/10 - b/10 }
		slices.SortStableFunc(want, tens)
		pool.SortStableFunc(w, got, tens)
		return differ(got, want)
	}},
	{"ForRange, cancelled", cancelledLoop(pool.ForRange)},
	{"ForErr", errorsOfLoop(pool.ForErr)},
	{"MapErr", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		got, err := pool.MapErr(w, s, func(_ *pool.Worker, e int) (int, error) {
			if rare(e) {
				return 0, errRare(e)
			}
			return -e, nil
		}, opts...)
		if err != nil {
			if e, ok := err.(errRare); !ok || got != nil || !slices.Contains(s, int(e)) {
				return fmt.Sprintf("%v and the error %v, want none and that of an element", got, err)
			}
			return ""
		}
		want := slices.Clone(s)
		for i := range want {
			want[i] = -want[i]
		}
		return differs(slices.ContainsFunc(s, rare), false) + differ(got, want)
	}},
}

// cancelledLoop ends the context of a loop in one of its leaves. Each other worker may be about to begin one.
func cancelledLoop(loop rangeLoop) func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
	return func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		ctx, end := context.WithCancel(gocontext.Background())
		defer end()
		done := make([]int, len(s))
		var ended atomic.Bool
		var late atomic.Int32 // leaves
		loop(w, len(s), func(_ *pool.Worker, lo, hi int) {
			if ended.Load() {
				late.Add(1)
			}
			for i := range done[lo:hi] {
				done[lo+i]++
			}
			if middle := len(s) / 2; lo <= middle && middle < hi {
				end()
				ended.Store(true)
			}
		}, append(slices.Clone(opts), pool.Until(ctx))...)
		if i := slices.IndexFunc(done, func(n int) bool { return n > 1 }); i >= 0 {
			return fmt.Sprintf("element %d was done %d times", i, done[i])
		}
		if n, most := int(late.Load()), w.Pool().Workers()-1; n > most {
			return fmt.Sprintf("%d leaves began after the context had ended, want at most %d", n, most)
		}
		return differs(done[len(s)/2], 1)
	}
}

// errRare is the error of an element that fails.
type errRare int

func (e errRare) Error() string { return fmt.Sprint("rare: ", int(e)) }

// errorLoop is ForErr.
type errorLoop func(w *pool.Worker, n int, body func(w *pool.Worker, i int) error, opts ...pool.LoopOption) error

// errorsOfLoop has the rare elements fail, in a loop whose context ends once the last is done: that is not an error,
// unless elements were left out.
func errorsOfLoop(loop errorLoop) func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
	return func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		ctx, end := context.WithCancel(gocontext.Background())
		defer end()
		done := make([]int, len(s))
		err := loop(w, len(s), func(_ *pool.Worker, i int) error {
			done[i]++
			if i == len(s)-1 {
				end()
			}
			if rare(s[i]) {
				return errRare(i)
			}
			return nil
		}, append(slices.Clone(opts), pool.Until(ctx))...)
		left := 0
		for i, n := range done {
			if n > 1 {
				return fmt.Sprintf("element %d was done %d times", i, n)
			}
			if n == 0 {
				left++
			}
		}
		switch e := err.(type) {
		case nil:
			return differs(left, 0) + differs(slices.ContainsFunc(s, rare), false)
		case errRare:
			if !rare(s[e]) || done[e] == 0 {
				return fmt.Sprintf("the error of element %d, which has not failed", int(e))
			}
			for i := range int(e) {
				if rare(s[i]) && done[i] > 0 {
					return fmt.Sprintf("the error of element %d, and element %d has failed, too", int(e), i)
				}
			}
			return ""
		}
		return differs(err, gocontext.Canceled) + differs(left > 0, true)
	}
}

const (
	slope   = 31
	modulus = 1_000_003
)

// affine is a different function of x for each e.
func affine(x, e int) int { return (x*slope + e) % modulus }

// data runs computations, each twice in one job.
func (x *execution) data(p *pool.Pool, all []computation) {
	r := x.Rand("data")
	for range x.sizes.repeat {
		x.pause(r)
		c := &all[r.IntN(len(all))]
		elements := randomElements(r, x.sizes.jobs)
		opts := []pool.LoopOption{pool.MinLen(1 + r.IntN(x.sizes.leaf)), pool.MaxLen(x.sizes.leaf)}
		err := p.Run(gocontext.Background(), func(w *pool.Worker) error {
			for range 2 {
				if wrong := c.run(w, elements, opts...); wrong != "" {
					x.Fail(verdict.WrongResult, "%s of %d elements: %s", c.name, len(elements), wrong)
				}
			}
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Run: %v", c.name, err)
		}
	}
}

// randomElements draws elements, of which few are rare in some executions.
func randomElements(r *rand.Rand, n int) []int {
	all, few := make([]int, n), r.IntN(2) == 0
	for i := range all {
		if all[i] = r.IntN(1000); few && rare(all[i]) && r.IntN(n) > 0 {
			all[i]++
		}
	}
	return all
}
