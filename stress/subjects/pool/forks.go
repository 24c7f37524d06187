package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
)

// joinWorkload is join-recursively of rayon's demos, with something to check.
var joinWorkload = workload{
	name:     "join",
	about:    "Join, recursively: 2^depth leaves, each of which runs once; the sum has to be right.",
	uses:     []string{"depth", "repeat", "pause"},
	defaults: sizes{depth: 7, repeat: 3, pause: defaultPause},
	small:    sizes{depth: 2, repeat: 1},
	bound:    sizes{depth: maxJoinDepth},
	boundWhy: "has 2^depth leaves",
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("join")
		for range x.sizes.repeat {
			x.pause(r)
			x.joinAll(p, joinLeaves)
		}
		x.finish(p)
		x.report(closedStats(p.Stats(), x.sizes.repeat*(1<<x.sizes.depth-1), 0))
	},
}

// joinAll counts the leaves by calling count.
func (x *execution) joinAll(p *pool.Pool, count func(w *pool.Worker, leaves []entry) int) {
	leaves := x.open("join", 1<<x.sizes.depth)
	sum := 0
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		sum = count(w, leaves)
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
	if want := len(leaves); sum != want {
		x.Fail(verdict.WrongResult, "join-recursively counted %d leaves, there are %d", sum, want)
	}
}

// joinLeaves runs every leaf and returns their number.
func joinLeaves(w *pool.Worker, leaves []entry) int {
	if len(leaves) == 1 {
		leaves[0].ran()
		return 1
	}
	var left, right int
	mid := len(leaves) / 2
	w.Join(
		func(w *pool.Worker) { left = joinLeaves(w, leaves[:mid]) },
		func(w *pool.Worker) { right = joinLeaves(w, leaves[mid:]) },
	)
	return left + right
}

// scopesWorkload: a scope whose jobs open scopes, to some depth, and start detached jobs.
var scopesWorkload = workload{
	name:     "scopes",
	about:    "Nested scopes: each job of a scope opens one of its own, to the depth given; when a scope ends, all of its jobs have run.",
	uses:     []string{"jobs", "depth", "repeat", "pause"},
	defaults: sizes{jobs: 3, depth: 3, repeat: 2, pause: defaultPause},
	small:    sizes{jobs: 2, depth: 1, repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("scopes")
		for range x.sizes.repeat {
			x.pause(r)
			err := p.Run(context.Background(), func(w *pool.Worker) error {
				x.scope(w, x.sizes.depth)
				return nil
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "Run: %v", err)
			}
		}
		x.finish(p)
	},
}

// scope opens one scope of the given depth, and waits for it.
func (x *execution) scope(w *pool.Worker, depth int) {
	name := fmt.Sprintf("scope of depth %d on worker %d", depth, w.Index())
	jobs := x.open(name, x.sizes.jobs)
	detached := x.open(name+", detached", 1)
	w.Scope(func(s *pool.Scope) {
		for i := range jobs {
			e := &jobs[i]
			s.Go(w, func(w *pool.Worker) {
				if depth > 1 {
					x.scope(w, depth-1)
				}
				e.ran()
			})
		}
		w.Go(func(*pool.Worker) { detached[0].ran() })
	})
	for i := range jobs {
		if jobs[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: the scope ended before it had run", jobs[i].name)
		}
	}
}

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
