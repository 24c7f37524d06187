package pool_test

import (
	"errors"
	"testing"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/self"
	"github.com/rouse-go/rouse/pool"
)

// What would block a worker of p, whose only worker calls it, and which is bounded and full.
var blockingEntries = map[string]func(p *pool.Pool, f *pool.Future[int]){
	"Pool.Run": func(p *pool.Pool, _ *pool.Future[int]) {
		_ = p.Run(background, func(*pool.Worker) error { return nil })
	},
	"Pool.Broadcast": func(p *pool.Pool, _ *pool.Future[int]) { _ = p.Broadcast(background, func(*pool.Worker) {}) },
	"Pool.InPlaceScope": func(p *pool.Pool, _ *pool.Future[int]) {
		_ = p.InPlaceScope(func(s *pool.Scope) { s.Go(nil, func(*pool.Worker) {}) })
	},
	"Pool.InPlaceScopeFIFO": func(p *pool.Pool, _ *pool.Future[int]) {
		_ = p.InPlaceScopeFIFO(func(s *pool.Scope) { s.Go(nil, func(*pool.Worker) {}) })
	},
	"Future.Wait": func(_ *pool.Pool, f *pool.Future[int]) { _, _ = f.Wait(background) },
	"Pool.Go":     func(p *pool.Pool, _ *pool.Future[int]) { _ = p.Go(func(*pool.Worker) {}) },
	"Pool.GoN":    func(p *pool.Pool, _ *pool.Future[int]) { _ = p.GoN(2, func(*pool.Worker, int) {}) },
	"Submit": func(p *pool.Pool, _ *pool.Future[int]) {
		pool.Submit(background, p, func(*pool.Worker) (int, error) { return 1, nil })
	},
}

// Catches: a worker that is blocked by an entry for outsiders of its own pool, which then
// waits for that worker: the test does not end.
func TestEntryForOutsidersInAJob(t *testing.T) {
	if !self.Known {
		return // nothing is detected here
	}
	p := newPool(t, 1, pool.WithMaxInjected(1), pool.WithName("x"))
	run(t, p, func(w *pool.Worker) {
		if err := p.TryGo(func(*pool.Worker) {}); err != nil { // it waits for w: p is full
			t.Error(err)
		}
		f := pool.Spawn(w, func(*pool.Worker) (int, error) { return 1, nil })
		for name, call := range blockingEntries {
			v := panicOf(func() { call(p, f) })
			var e *pool.MisuseError
			if err, _ := v.(error); !errors.As(err, &e) || e.Entry != name || e.Caller != "worker 0 of x" || e.Instead == "" {
				t.Errorf("%s: %v", name, v)
			}
		}
		if n := p.State().References; n != 4 { // the pool's, this job's, the injected one's, the future's
			t.Errorf("%d references, want 4: what panics has done nothing\n%v", n, p.State())
		}
	})
	if s := quiet(p); s.References != 1 {
		t.Errorf("%d references, want the pool's own", s.References)
	}
	works(t, p)
}

// Catches: a panic where nothing blocks a worker, or where the job has said that it blocks.
func TestEntryForOutsidersThatIsRight(t *testing.T) {
	p, other := newPool(t, 1, pool.WithMaxInjected(10)), newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		w.Blocking(func() { run(t, p, func(*pool.Worker) {}) })
		ended := make(chan struct{})
		go func() { // started by a worker, and none
			defer close(ended)
			run(t, other, func(*pool.Worker) {})
		}()
		<-ended
		if hooks.Enabled {
			return // which is stricter
		}
		if err := p.Go(func(*pool.Worker) {}); err != nil { // there is room
			t.Error(err)
		}
		if err := p.GoN(3, func(*pool.Worker, int) {}); err != nil {
			t.Error(err)
		}
		run(t, other, func(*pool.Worker) {}) // it blocks w, and needs it for nothing
		f := pool.Submit(background, other, func(*pool.Worker) (int, error) { return 7, nil })
		if n, err := f.Wait(background); n != 7 || err != nil {
			t.Error(n, err)
		}
		if n, err := f.Wait(background); n != 7 || err != nil {
			t.Error(n, err)
		}
		if err := other.Close(background); err != pool.ErrInsideJob {
			t.Error(err)
		}
	})
	works(t, p)
}
