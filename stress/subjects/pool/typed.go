package pool

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
)

// typedWorkload: the forks that allocate nothing use their frames again, at each depth and for functions of
// several types in turn.
var typedWorkload = workload{
	name: "typed",
	about: "Typed joins: Fn.Join, the function Join, Worker.Join and Worker.JoinContext fork in each other down to 2^depth leaves, twice in each run, " +
		"by two functions in turn, so that each frame is used again, by the same type or by another. Each leaf runs once; the sum has to be right.",
	uses:     []string{"depth", "repeat", "pause"},
	defaults: sizes{depth: 6, repeat: 3, pause: defaultPause},
	small:    sizes{depth: 2, repeat: 1},
	bound:    sizes{depth: maxJoinDepth},
	boundWhy: "has 2^depth leaves",
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("typed")
		for range x.sizes.repeat {
			x.pause(r)
			x.typed(p, &typedForks{draws: r.Uint64()}, (*pool.Fn[[]entry, int]).Join)
		}
		x.finish(p)
		x.report(closedStats(p.Stats(), x.sizes.repeat*typedRounds*(1<<x.sizes.depth-1), 0))
	},
}

// typedRounds is how often typed counts the leaves, each time by another function.
const typedRounds = 2

// typedForks choose the fork at each depth: two bits of draws.
type typedForks struct{ draws uint64 }

// at returns the fork for that many leaves: the same everywhere in the tree, so that its frame is used again.
func (t *typedForks) at(leaves int) uint64 {
	depth := 0
	for ; leaves > 1; leaves /= 2 {
		depth++
	}
	return t.draws >> (2 * depth) & 3
}

// slow reports whether leaves yield.
func (t *typedForks) slow() bool { return t.draws>>63 != 0 }

// typed counts the leaves twice, with join as Fn.Join.
func (x *execution) typed(p *pool.Pool, forks *typedForks, join func(*pool.Fn[[]entry, int], *pool.Worker, []entry, []entry) (int, int)) {
	var counts [typedRounds]*pool.Fn[[]entry, int] // of one type, so that they use the same frames
	now := 0
	body := func(fn *pool.Fn[[]entry, int], w *pool.Worker, leaves []entry) int {
		if fn != counts[now] {
			x.Fail(verdict.WrongResult, "a typed join called another Fn, which had used its frame before")
		}
		if len(leaves) == 1 {
			if forks.slow() { // so that thieves ask for forks while their owner is busy
				hooks.Gosched()
			}
			leaves[0].ran()
			return 1
		}
		a, b := leaves[:len(leaves)/2], leaves[len(leaves)/2:]
		var left, right int
		switch way := forks.at(len(leaves)); {
		case way == 0:
			left, right = join(fn, w, a, b)
		case way == 1:
			left, right = pool.Join(w, fn.Call, a, b)
		case way == 2 || w.Saturated():
			w.Join(func(w *pool.Worker) { left = fn.Call(w, a) }, func(w *pool.Worker) { right = fn.Call(w, b) })
		default:
			w.JoinContext(
				func(w *pool.Worker, migrated bool) {
					if migrated {
						x.Fail(verdict.WrongResult, "the first half of a JoinContext has migrated")
					}
					left = fn.Call(w, a)
				},
				func(w *pool.Worker, _ bool) { right = fn.Call(w, b) })
		}
		return left + right
	}
	for i := range counts {
		counts[i] = pool.NewFn(body)
	}
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		for now = range counts {
			leaves := x.open("typed", 1<<x.sizes.depth)
			if n := counts[now].Call(w, leaves); n != len(leaves) {
				x.Fail(verdict.WrongResult, "typed joins counted %d leaves, there are %d", n, len(leaves))
			}
			for i := range leaves {
				if leaves[i].runs.Load() == 0 {
					x.Fail(verdict.LostTask, "%s: its join returned before it had run", leaves[i].name)
				}
			}
		}
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
}
