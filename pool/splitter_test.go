package pool

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
)

// leavesOf splits n elements as a loop does; migrated is asked at each span that was
// forked. It returns the leaves' bounds.
func leavesOf(workers, n, minLen, maxLen int, migrated func() bool) (leaves [][2]int) {
	halved(0, n, newSplitter(workers, n, minLen, maxLen), workers, migrated, &leaves)
	return leaves
}

// halved appends the leaves of the elements from lo to before hi.
func halved(lo, hi int, s splitter, workers int, migrated func() bool, leaves *[][2]int) {
	var drive func(lo, hi int, s splitter, migrated bool)
	drive = func(lo, hi int, s splitter, hasMigrated bool) {
		if hasMigrated {
			s = s.migrated(workers)
		}
		if !s.split(hi - lo) {
			*leaves = append(*leaves, [2]int{lo, hi})
			return
		}
		mid := lo + (hi-lo)/2
		drive(lo, mid, s, false)
		drive(mid, hi, s, migrated())
	}
	drive(lo, hi, s, false)
}

func never() bool { return false }

// Catches: an index that is in no leaf or in two; leaves that are too long or too
// short; more or fewer leaves than the rule makes when nothing migrates.
func TestSplitter(t *testing.T) {
	proptest.Check(t, 2000, 100, prop.ForAll(func(workers, n, minLen, maxLen int, seed uint64, migrations bool) string {
		migrated := never
		if migrations {
			rng := rand.New(rand.NewPCG(seed, 0))
			migrated = func() bool { return rng.IntN(4) == 0 }
		}
		leaves := leavesOf(workers, n, minLen, maxLen, migrated)
		next := 0
		for _, l := range leaves {
			length := l[1] - l[0]
			switch {
			case l[0] != next || length < 1:
				return fmt.Sprintf("leaf %v follows one that ends before %d", l, next)
			case length < min(minLen, n):
				return fmt.Sprintf("leaf %v is too short", l)
			case length > maxLen && length/2 >= minLen:
				return fmt.Sprintf("leaf %v is too long", l)
			}
			next = l[1]
		}
		if next != n {
			return fmt.Sprintf("the leaves end before %d", next)
		}
		if migrations {
			return ""
		}
		// Nothing migrates: all spans are halved equally often, the power of two behind
		// the number of splits, unless they would be too short.
		want := 1 << bits.Len(uint(max(workers, n/maxLen)))
		if len(leaves) > want || n/want >= minLen && len(leaves) != want {
			return fmt.Sprintf("%d leaves, want %d", len(leaves), want)
		}
		return ""
	}, gen.IntRange(1, 40), gen.IntRange(1, 5000), gen.IntRange(1, 100), gen.IntRange(1, 2000), gen.UInt64(), gen.Bool()))
}

// The numbers that are known of rayon's increment_all, and those that sleeping
// leaves depend on.
func TestSplitterLeaves(t *testing.T) {
	for _, c := range []struct {
		workers, n, minLen, maxLen int
		leaves, shortest, longest  int
	}{
		{2, 102_400, 1, math.MaxInt, 4, 25_600, 25_600},
		{2, 102_400, 1, 100, 2048, 50, 50},
		{2, 102_400, 1, 1, 102_400, 1, 1},
		{64, 102_400, 1024, math.MaxInt, 64, 1600, 1600},
		{2, 102_400, math.MaxInt, math.MaxInt, 1, 102_400, 102_400},
		{16, 16, 1, math.MaxInt, 16, 1, 1},
		{16, 5, 1, math.MaxInt, 5, 1, 1},
		{1, 1, 1, 1, 1, 1, 1},
		{1, math.MaxInt, math.MaxInt / 8, math.MaxInt, 2, math.MaxInt / 2, math.MaxInt/2 + 1},
	} {
		leaves := leavesOf(c.workers, c.n, c.minLen, c.maxLen, never)
		shortest, longest := lengths(leaves)
		if len(leaves) != c.leaves || shortest != c.shortest || longest != c.longest {
			t.Errorf("%+v: %d leaves of %d to %d", c, len(leaves), shortest, longest)
		}
	}
}

// Catches: leaves that are not those that halving would make, in number and length, when they are
// done in order; a rest of them, halved after all, whose leaves are too long or too short.
func TestLeavesInOrder(t *testing.T) {
	proptest.Check(t, 3000, 100, prop.ForAll(func(workers, n, minLen, maxLen, before int) string {
		s := newSplitter(workers, n, minLen, maxLen)
		p := s.leaves(0, n, 0)
		var leaves [][2]int
		do := func() {
			lo, hi := p.next()
			leaves = append(leaves, [2]int{lo, hi})
		}
		for p.left > 0 {
			do()
		}
		if wrong := alike(leaves, leavesOf(workers, n, minLen, maxLen, never)); wrong != "" {
			return wrong
		}
		p, leaves = s.leaves(0, n, 0), nil
		for p.left > 0 && before > 0 {
			do()
			before--
		}
		if p.left == 0 {
			return ""
		}
		halved(p.lo, n, p.rest(s), workers, never, &leaves)
		next := 0
		for _, l := range leaves {
			length := l[1] - l[0]
			if l[0] != next || length < min(minLen, n) || length > maxLen && length/2 >= minLen {
				return fmt.Sprintf("leaf %v behind %d, too short or too long; of %d that were done in order up to %d", l, next, len(leaves), p.lo)
			}
			next = l[1]
		}
		if next != n {
			return fmt.Sprintf("the leaves end before %d", next)
		}
		return ""
	}, gen.IntRange(1, 40), gen.IntRange(1, 5000), gen.IntRange(1, 100), gen.IntRange(1, 2000), gen.IntRange(0, 300)))
}

// alike says what is wrong with leaves that are done in order: there are to be as many of them as
// halving makes, of lengths between its shortest and its longest, one after the other.
func alike(leaves, want [][2]int) string {
	if len(leaves) != len(want) {
		return fmt.Sprintf("%d leaves, want %d", len(leaves), len(want))
	}
	shortest, longest := lengths(want)
	next := 0
	for _, l := range leaves {
		if length := l[1] - l[0]; l[0] != next || length < shortest || length > longest {
			return fmt.Sprintf("leaf %v behind %d, want %d to %d elements", l, next, shortest, longest)
		}
		next = l[1]
	}
	if end := want[len(want)-1][1]; next != end {
		return fmt.Sprintf("the leaves end before %d, want %d", next, end)
	}
	return ""
}

func lengths(leaves [][2]int) (shortest, longest int) {
	shortest = math.MaxInt
	for _, l := range leaves {
		shortest, longest = min(shortest, l[1]-l[0]), max(longest, l[1]-l[0])
	}
	return shortest, longest
}

// Catches: a stolen span that is not split anew, which would leave the others
// without work.
func TestSplitterMigrated(t *testing.T) {
	for _, c := range []struct {
		s      splitter
		halved bool
		splits int
	}{
		{splitter{splits: 0, min: 1}, true, 4},
		{splitter{splits: 100, min: 1}, true, 50},
		{splitter{splits: 100, min: 51}, false, 100},
	} {
		s := c.s.migrated(4)
		if halved := s.split(100); halved != c.halved || s.splits != c.splits {
			t.Errorf("a stolen span of 100, %+v: halved %t, then %+v", c.s, halved, s)
		}
	}
}

// Catches: a loop that does not ask its splitter, or that leaves fewer leaves than
// that says. In a pool of one nothing migrates.
func TestLoopLeaves(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	proptest.Check(t, 300, 100, prop.ForAll(func(n, minLen, maxLen int) string {
		var leaves [][2]int
		err := p.Run(t.Context(), func(w *Worker) error {
			ForRange(w, n, func(_ *Worker, lo, hi int) { leaves = append(leaves, [2]int{lo, hi}) }, MinLen(minLen), MaxLen(maxLen))
			return nil
		})
		if err != nil {
			return err.Error()
		}
		return alike(leaves, leavesOf(1, n, minLen, maxLen, never))
	}, gen.IntRange(1, 3000), gen.IntRange(1, 20), gen.IntRange(1, 500)))
}

// Catches: a loop that allocates a span for each halving, and not for each level:
// what has not been stolen is to be used again.
func TestLoopReusesItsSpans(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	const n = 1 << 12
	var allocs float64
	err = p.Run(t.Context(), func(w *Worker) error {
		allocs = testing.AllocsPerRun(10, func() { For(w, n, func(*Worker, int) {}, MaxLen(1)) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if allocs > 30 { // 13 levels, the loop, its options
		t.Errorf("%v allocations for %d halvings", allocs, n-1)
	}
}

// Catches: folds within a loop that allocate something each, though what they need can be used again.
func TestFoldsAllocateNothing(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	var allocs float64
	err = p.Run(t.Context(), func(w *Worker) error {
		none := func() int { return 0 }
		sum := func(_ *Worker, acc, lo, hi int) int { return acc + hi - lo }
		plus := func(_ *Worker, a, b int) int { return a + b }
		allocs = testing.AllocsPerRun(100, func() {
			if n := FoldRange(w, 8, none, sum, plus); n != 8 {
				t.Errorf("a sum of %d, want 8", n)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if allocs > 0 {
		t.Errorf("%v allocations for a fold", allocs)
	}
}

// Catches: spans that keep the loop, and so what its body holds, when they are
// done: a deque's slot may keep the span for long.
func TestSpansForgetTheirLoop(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p, err := New(workers)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(t.Context(), func(w *Worker) error {
			Fold(w, make([]int, 5000), func() *int { return new(int) },
				func(_ *Worker, sum *int, e int) *int { *sum += e; return sum },
				func(_ *Worker, a, b *int) *int { *a += *b; return a }, MaxLen(1))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		for _, w := range p.workers {
			for i := range w.deque.array.Load().slots {
				j := w.deque.array.Load().slots[i].Load()
				if j == nil {
					continue
				}
				if s, ok := j.task.(*span[*int]); !ok {
					t.Errorf("a slot holds a %T: this test must be brought up to date", j.task)
				} else if s.loop != nil || s.result != nil {
					t.Errorf("%d workers: the deque of worker %d keeps a loop (%t) or a result (%t)", workers, w.index, s.loop != nil, s.result != nil)
				}
			}
		}
	}
}

// Catches: a search that keeps halving what need not be searched.
func TestFindStopsSplitting(t *testing.T) {
	p, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	err = p.Run(t.Context(), func(w *Worker) error {
		before := w.counts.joins
		Find(w, make([]int, 1<<12), func(*Worker, int) bool { return true }, MaxLen(1))
		if n := w.counts.joins - before; n > 13 {
			t.Errorf("%d joins, although the first element was it", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Catches: a loop that does not notify its splitter of what was stolen. The first leaf
// waits until the right half is done, so that the other worker must have stolen it.
func TestLoopSplitsAnewWhatWasStolen(t *testing.T) {
	p, err := New(2)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	const n = 1024 // four leaves of 256, if nothing is stolen
	longest := 0
	done := make(chan struct{})
	err = p.Run(t.Context(), func(w *Worker) error {
		ForRange(w, n, func(_ *Worker, lo, hi int) {
			if lo == 0 {
				<-done
			}
			if lo >= n/2 { // in order, by the other worker
				longest = max(longest, hi-lo)
				if hi == n {
					close(done)
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if longest != n/16 { // halved by the theft, and then for two workers anew
		t.Errorf("the stolen half has leaves of %d", longest)
	}
}
