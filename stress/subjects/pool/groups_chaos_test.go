//go:build chaos

package pool

import (
	gocontext "context"
	"errors"
	"iter"
	"slices"
	stdatomic "sync/atomic" // not the drop-in: a defect is no part of a schedule
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/pool"
)

// planted runs the workload with groups that have the defect; end ends a group's context.
func planted(t *testing.T, defect func(g *group, end func()), want verdict.Verdict, says string) {
	t.Helper()
	w := groupsWorkload
	w.small.repeat = 8 // so that each execution comes to it
	w.run = func(x *execution) {
		p, other := x.newPool(x.workers), x.newPool(1)
		x.groups(p, other, func(p *pool.Pool) (group, gocontext.Context) {
			g, ctx := newGroup(p)
			ctx, end := context.WithCancel(ctx)
			defect(&g, end)
			return g, ctx
		})
		x.close(other)
		x.finish(p)
	}
	fails(t, w, want, says)
}

func TestGroupsSeeTheirJobs(t *testing.T) {
	planted(t, func(g *group, _ func()) {
		start, begun := g.start, new(stdatomic.Bool)
		g.start = func(f func(w *pool.Worker) error) {
			if begun.Swap(true) {
				start(f)
			}
		}
	}, verdict.LostTask, "its group's Wait has returned, and it has not run")
	planted(t, func(g *group, _ func()) {
		start := g.start
		g.start = func(f func(w *pool.Worker) error) { start(f); start(f) }
	}, verdict.DuplicateTask, "times")
}

func TestGroupsSeeAnEarlyWait(t *testing.T) {
	if racing.Detector {
		return // it reports the defect first, as what it is
	}
	planted(t, func(g *group, end func()) {
		start, wait, limit := g.start, g.wait, g.limit
		g.start = func(f func(w *pool.Worker) error) {
			start(func(w *pool.Worker) error { time.Sleep(time.Millisecond); return f(w) })
		}
		g.wait = func() error { end(); return nil }
		g.waitOn = func(*pool.Worker) error { return g.wait() }
		g.limit = func(n int) { _, _ = arrived(wait); limit(n) }
	}, verdict.LostTask, "Wait has returned, and")
}

func TestGroupsSeeTheLimit(t *testing.T) {
	planted(t, func(g *group, _ func()) {
		limit := g.limit
		g.limit = func(int) { limit(-1) }
	}, verdict.Invariant, "jobs of its group are active, want at most")
}

// TestGroupsSeeTryGo: one that always refuses, and one that forgets the job.
func TestGroupsSeeTryGo(t *testing.T) {
	planted(t, func(g *group, _ func()) {
		g.try = func(func(w *pool.Worker) error) bool { return false }
	}, verdict.WrongResult, "TryGo has refused it, and there is no limit")
	planted(t, func(g *group, _ func()) {
		g.try = func(func(w *pool.Worker) error) bool { return true }
	}, verdict.LostTask, "and it has not run")
}

// TestGroupsSeeBlocking: jobs that block run on workers.
func TestGroupsSeeBlocking(t *testing.T) {
	planted(t, func(g *group, _ func()) {
		blocking := g.blocking
		g.blocking = func(bool) { blocking(false) }
	}, verdict.WrongResult, "though its group blocks and no spare was missing")
}

func TestGroupsSeeTheFirstError(t *testing.T) {
	for _, wrong := range []error{nil, errors.New("another")} {
		planted(t, func(g *group, _ func()) {
			wait := g.wait
			g.wait = func() error { _ = wait(); return wrong }
		}, verdict.WrongResult, "Wait")
	}
}

func TestGroupsSeeThePanics(t *testing.T) {
	planted(t, func(g *group, _ func()) {
		wait := g.wait
		g.wait = func() error {
			if panicked, err := arrived(wait); panicked == nil {
				return err
			}
			return nil
		}
	}, verdict.WrongResult, "want the first panic of a job")
}

// TestGroupsSeeTheCause: a context that does not end with the first failure, or with another cause.
func TestGroupsSeeTheCause(t *testing.T) {
	planted(t, func(g *group, end func()) {
		start := g.start
		g.start = func(f func(w *pool.Worker) error) { end(); start(f) }
	}, verdict.WrongResult, "the cause of the context is context canceled, which is no failure of a job of this round")
}

func TestGroupsSeeTheResults(t *testing.T) {
	for _, c := range []struct {
		most    int // of each loop
		reverse bool
	}{{2, false}, {3, true}} {
		planted(t, func(g *group, _ func()) {
			for _, results := range []*resultsOf{&g.results, &g.unordered} {
				all := *results
				*results = func(seq iter.Seq[int], f func(w *pool.Worker, v int) (int, error)) iter.Seq2[int, error] {
					values := slices.Collect(seq)
					if c.reverse {
						slices.Reverse(values)
					}
					return all(slices.Values(values[:c.most]), f)
				}
			}
		}, verdict.WrongResult, "results are")
	}
}

// TestFailingLoopsSeeTheirErrors: a loop that forgets the error, one that returns any, and one that skips nothing.
func TestFailingLoopsSeeTheirErrors(t *testing.T) {
	for says, loop := range map[string]errorLoop{
		"true, want false": func(w *pool.Worker, n int, body func(w *pool.Worker, i int) error, opts ...pool.LoopOption) error {
			for i := range n {
				_ = body(w, i)
			}
			return nil
		},
		"which has not failed": func(w *pool.Worker, n int, body func(w *pool.Worker, i int) error, opts ...pool.LoopOption) error {
			if pool.ForErr(w, n, body, opts...) != nil {
				return errRare(1)
			}
			return nil
		},
	} {
		withDefect(t, dataWorkload, func(x *execution, p *pool.Pool) {
			x.data(p, []computation{{"planted", func(w *pool.Worker, _ []int, opts ...pool.LoopOption) string {
				return errorsOfLoop(loop)(w, []int{5, 1, 2, 5}, opts...)
			}}})
		}, verdict.WrongResult, says)
	}
}
