package pool_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// inPool runs an example in a pool of two workers.
func inPool(f func(w *pool.Worker)) {
	p, _ := pool.New(2)
	defer p.Close(context.Background())
	_ = p.Run(context.Background(), func(w *pool.Worker) error { f(w); return nil })
}

// For is the parallel for loop.
func ExampleFor() {
	inPool(func(w *pool.Worker) {
		squares := make([]int, 10)
		pool.For(w, len(squares), func(_ *pool.Worker, i int) { squares[i] = i * i })
		fmt.Println(squares)
	})
	// Output:
	// [0 1 4 9 16 25 36 49 64 81]
}

// ForRange gives the body a run of indices at a time, here of at least 250.
func ExampleForRange() {
	inPool(func(w *pool.Worker) {
		table := make([]byte, 1000)
		pool.ForRange(w, len(table), func(_ *pool.Worker, lo, hi int) {
			copy(table[lo:hi], "rouse")
		}, pool.MinLen(250))
		fmt.Printf("%s\n", table[:5])
	})
	// Output:
	// rouse
}

// ForEach may change the elements.
func ExampleForEach() {
	inPool(func(w *pool.Worker) {
		prices := []float64{100, 250, 40}
		pool.ForEach(w, prices, func(_ *pool.Worker, price *float64) { *price *= 1.19 })
		fmt.Println(prices)
	})
	// Output:
	// [119 297.5 47.599999999999994]
}

// Map keeps the order.
func ExampleMap() {
	inPool(func(w *pool.Worker) {
		words := []string{"lost", "wakeup"}
		fmt.Println(pool.Map(w, words, func(_ *pool.Worker, s string) int { return len(s) }))
	})
	// Output:
	// [4 6]
}

// Filter keeps the order.
func ExampleFilter() {
	inPool(func(w *pool.Worker) {
		even := pool.Filter(w, []int{3, 4, 8, 5, 6}, func(_ *pool.Worker, n int) bool { return n%2 == 0 })
		fmt.Println(even)
	})
	// Output:
	// [4 8 6]
}

// Reduce needs an associative operation; the order stays.
func ExampleReduce() {
	inPool(func(w *pool.Worker) {
		letters := []string{"r", "o", "u", "s", "e"}
		fmt.Println(pool.Reduce(w, letters, "> ", func(_ *pool.Worker, a, b string) string { return a + b }))
	})
	// Output:
	// > rouse
}

// Fold has an accumulator of its own for each leaf of the loop.
func ExampleFold() {
	inPool(func(w *pool.Worker) {
		words := []string{"to", "be", "or", "not", "to", "be"}
		count := pool.Fold(w, words,
			func() map[string]int { return map[string]int{} },
			func(_ *pool.Worker, n map[string]int, word string) map[string]int {
				n[word]++
				return n
			},
			func(_ *pool.Worker, a, b map[string]int) map[string]int {
				for word, n := range b {
					a[word] += n
				}
				return a
			})
		fmt.Println(count)
	})
	// Output:
	// map[be:2 not:1 or:1 to:2]
}

// FoldRange sums a series.
func ExampleFoldRange() {
	inPool(func(w *pool.Worker) {
		pi := pool.FoldRange(w, 1_000_000,
			func() float64 { return 0 },
			func(_ *pool.Worker, sum float64, lo, hi int) float64 {
				for i := lo; i < hi; i++ {
					sum += float64(4-i%2*8) / float64(2*i+1)
				}
				return sum
			},
			func(_ *pool.Worker, a, b float64) float64 { return a + b })
		fmt.Printf("%.5f\n", pi)
	})
	// Output:
	// 3.14159
}

// Find returns the first match, as a sequential search does.
func ExampleFind() {
	inPool(func(w *pool.Worker) {
		words := []string{"worker", "idle", "sleepy", "sleeping"}
		fmt.Println(pool.Find(w, words, func(_ *pool.Worker, s string) bool { return s[0] == 's' }))
		fmt.Println(pool.Find(w, words, func(_ *pool.Worker, s string) bool { return s == "" }))
	})
	// Output:
	// 2 true
	// -1 false
}

// FindAny returns any match.
func ExampleFindAny() {
	inPool(func(w *pool.Worker) {
		words := []string{"worker", "idle", "sleepy", "sleeping"}
		i, ok := pool.FindAny(w, words, func(_ *pool.Worker, s string) bool { return s[0] == 's' })
		fmt.Println(i == 2 || i == 3, ok)
	})
	// Output:
	// true true
}

// MaxLen(1) makes a job of each element: for few elements that take long.
func ExampleMaxLen() {
	inPool(func(w *pool.Worker) {
		pages := []string{"index", "about"}
		sizes := pool.Map(w, pages, func(_ *pool.Worker, page string) int { return len(page) }, pool.MaxLen(1))
		fmt.Println(sizes)
	})
	// Output:
	// [5 5]
}

// MinLen keeps a cheap body from being cut too small.
func ExampleMinLen() {
	inPool(func(w *pool.Worker) {
		counters := make([]int, 100_000)
		pool.ForEach(w, counters, func(_ *pool.Worker, n *int) { *n++ }, pool.MinLen(1024))
		fmt.Println(counters[0], counters[99_999])
	})
	// Output:
	// 1 1
}

// Until skips what has not begun when the context ends.
func ExampleUntil() {
	inPool(func(w *pool.Worker) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		pool.For(w, 1000, func(*pool.Worker, int) { fmt.Println("never") }, pool.Until(ctx))
		fmt.Println(ctx.Err())
	})
	// Output:
	// context canceled
}

// Sort is slices.Sort on all workers.
func ExampleSort() {
	inPool(func(w *pool.Worker) {
		s := []string{"sleepy", "idle", "sleeping", "awake"}
		pool.Sort(w, s)
		fmt.Println(s)
	})
	// Output:
	// [awake idle sleeping sleepy]
}

// SortFunc takes an order.
func ExampleSortFunc() {
	inPool(func(w *pool.Worker) {
		s := []int{3, 1, 2}
		pool.SortFunc(w, s, func(a, b int) int { return b - a })
		fmt.Println(s)
	})
	// Output:
	// [3 2 1]
}

// SortStableFunc leaves words of the same length in their order.
func ExampleSortStableFunc() {
	inPool(func(w *pool.Worker) {
		s := []string{"join", "scope", "fork", "run"}
		pool.SortStableFunc(w, s, func(a, b string) int { return len(a) - len(b) })
		fmt.Println(s)
	})
	// Output:
	// [run join fork scope]
}

// ForEachSeq loops over what is no slice: here, over a map.
func ExampleForEachSeq() {
	inPool(func(w *pool.Worker) {
		stock := map[string]int{"bolts": 40, "nuts": 2}
		var total atomic.Int64
		pool.ForEachSeq(w, maps.Values(stock), func(_ *pool.Worker, n int) { total.Add(int64(n)) })
		fmt.Println(total.Load())
	})
	// Output:
	// 42
}

// MapSeq keeps the order of the sequence.
func ExampleMapSeq() {
	inPool(func(w *pool.Worker) {
		lines := strings.Lines("wake\nsleepy\n")
		fmt.Println(pool.MapSeq(w, lines, func(_ *pool.Worker, line string) int { return len(line) - 1 }))
	})
	// Output:
	// [4 6]
}
