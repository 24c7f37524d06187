package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// yield_now_to_spawn of rayon: a job that yields until another has run.
func TestYieldNowToSpawn(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		done := make(chan struct{})
		run(t, p, func(w *pool.Worker) {
			if err := p.Go(func(*pool.Worker) { close(done) }); err != nil {
				t.Error(err)
			}
			for {
				select {
				case <-done:
					return
				default:
					w.YieldNow()
				}
			}
		})
	})
}

func TestYield(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		if w.YieldNow() || w.YieldLocal() || w.HasPendingTasks() {
			t.Error("yielded to nothing")
		}
		ran := 0
		w.Go(func(*pool.Worker) { ran++ })
		w.GoBroadcast(func(*pool.Worker) { ran += 10 })
		if !w.HasPendingTasks() {
			t.Error("no tasks are pending")
		}
		w.Isolated(func(w *pool.Worker) {
			if w.YieldLocal() || w.YieldNow() || ran != 0 {
				t.Error("yielded while isolated")
			}
		})
		if !w.YieldLocal() || ran != 1 {
			t.Errorf("ran %d", ran)
		}
		if !w.HasPendingTasks() || !w.YieldLocal() || ran != 11 {
			t.Errorf("ran %d", ran)
		}
		if err := p.Go(func(*pool.Worker) { ran += 100 }); err != nil {
			t.Error(err)
		}
		if w.HasPendingTasks() || w.YieldLocal() || !w.YieldNow() || ran != 111 || w.YieldNow() {
			t.Errorf("ran %d", ran)
		}
	})
}
