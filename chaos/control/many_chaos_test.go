//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// crowded is many tasks that wait for few objects: locks of all kinds, a wait group and a Once.
func crowded(e *Engine, tasks int) func() {
	return func() {
		var mu sync.Mutex
		var rw sync.RWMutex
		var once sync.Once
		var begin, end sync.WaitGroup
		var inside, writers, readers, total atomic.Int64
		begin.Add(1)
		end.Add(tasks)
		for i := range tasks {
			e.Go(func() {
				defer end.Done()
				begin.Wait()
				mu.Lock()
				if inside.Add(1) != 1 {
					e.Fail(verdict.WrongResult, "two tasks hold the mutex")
				}
				inside.Add(-1)
				mu.Unlock()
				once.Do(func() { total.Add(1) })
				if i%3 == 0 {
					rw.Lock()
					if writers.Add(1) != 1 || readers.Load() != 0 {
						e.Fail(verdict.WrongResult, "a writer is not alone")
					}
					writers.Add(-1)
					rw.Unlock()
					return
				}
				rw.RLock()
				readers.Add(1)
				if writers.Load() != 0 {
					e.Fail(verdict.WrongResult, "a reader is beside a writer")
				}
				readers.Add(-1)
				rw.RUnlock()
			})
		}
		begin.Done()
		end.Wait()
		if total.Load() != 1 {
			e.Fail(verdict.WrongResult, "Once has run its function twice")
		}
	}
}

// TestManyTasks: waiters that are a group are scheduled as others are, and a schedule is repeated with groups and
// without.
func TestManyTasks(t *testing.T) {
	least := core.LeastGroup
	defer func() { core.LeastGroup = least }()
	for _, s := range []strategy.Strategy{
		strategy.Default(), strategy.Oldest(), strategy.Newest(), strategy.Random(), strategy.PCTCycle(), strategy.PCT(3),
		strategy.POS(), strategy.SURW(), strategy.URW(),
	} {
		t.Run(s.Name(), func(t *testing.T) {
			e, err := New(Options{Strategy: s})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			body := crowded(e, 100)
			for seed := range uint64(10) {
				core.LeastGroup = least
				r, _ := e.Run(seed, body)
				if r.Verdict != verdict.Pass {
					t.Fatal(seed, r)
				}
				schedule := r.Schedule.Clone()
				for _, n := range []int{least, 1 << 30, 2} {
					core.LeastGroup = n
					again, unused := e.Repeat(schedule, body)
					if again.Hash != r.Hash || unused.Len() > 0 {
						t.Fatalf("seed %d, groups of %d: hash %x, and not %x; %d decisions unused", seed, n, again.Hash, r.Hash, unused.Len())
					}
				}
			}
		})
	}
}
