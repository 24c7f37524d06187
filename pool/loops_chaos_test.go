//go:build chaos

package pool_test

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// loopEntries are the loops, called with w. Each is to be refused on any goroutine
// but w's, before it has done anything.
var loopEntries = map[string]func(w *pool.Worker){
	"For":      func(w *pool.Worker) { pool.For(w, 1, func(*pool.Worker, int) { panic("ran") }) },
	"ForRange": func(w *pool.Worker) { pool.ForRange(w, 1, func(*pool.Worker, int, int) { panic("ran") }) },
	"ForEach":  func(w *pool.Worker) { pool.ForEach(w, one, func(*pool.Worker, *int) { panic("ran") }) },
	"Map":      func(w *pool.Worker) { pool.Map(w, one, neverTyped) },
	"ForErr":   func(w *pool.Worker) { _ = pool.ForErr(w, 1, func(*pool.Worker, int) error { panic("ran") }) },
	"MapErr": func(w *pool.Worker) {
		_, _ = pool.MapErr(w, one, func(*pool.Worker, int) (int, error) { panic("ran") })
	},
	"Filter": func(w *pool.Worker) { pool.Filter(w, one, neverChosen) },
	"Reduce": func(w *pool.Worker) { pool.Reduce(w, one, 0, neverTwo) },
	"Fold":   func(w *pool.Worker) { pool.Fold(w, one, neverInit, neverTwo, neverTwo) },
	"FoldRange": func(w *pool.Worker) {
		pool.FoldRange(w, 1, neverInit, func(*pool.Worker, int, int, int) int { panic("ran") }, neverTwo)
	},
	"Find":           func(w *pool.Worker) { pool.Find(w, one, neverChosen) },
	"FindAny":        func(w *pool.Worker) { pool.FindAny(w, one, neverChosen) },
	"Sort":           func(w *pool.Worker) { pool.Sort(w, one) },
	"SortFunc":       func(w *pool.Worker) { pool.SortFunc(w, one, neverOrder) },
	"SortStableFunc": func(w *pool.Worker) { pool.SortStableFunc(w, one, neverOrder) },
	"ForEachSeq":     func(w *pool.Worker) { pool.ForEachSeq(w, slices.Values(one), func(*pool.Worker, int) { panic("ran") }) },
	"MapSeq":         func(w *pool.Worker) { pool.MapSeq(w, slices.Values(one), neverTyped) },
}

var one = []int{1}

func neverChosen(*pool.Worker, int) bool  { panic("ran") }
func neverTwo(*pool.Worker, int, int) int { panic("ran") }
func neverInit() int                      { panic("ran") }
func neverOrder(int, int) int             { panic("ran") }

func TestLoopWithCapturedHandle(t *testing.T) {
	tellsApart(t)
	p := newPool(t, 1, pool.WithName("x"))
	run(t, p, func(w *pool.Worker) {
		for entry, call := range loopEntries {
			ended := make(chan *pool.MisuseError)
			go func() { ended <- misused(t, entry, func() { call(w) }) }()
			wantMisuse(t, entry, <-ended, pool.MisuseError{Handle: "worker 0 of x"})
		}
	})
}
