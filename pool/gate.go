package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool/internal/contexts"
	"github.com/rouse-go/rouse/sleep"
)

// A gate lets so many jobs from outside into the injector and keeps the others'
// callers waiting, first come, first served. A nil gate is open.
type gate struct {
	mu      sync.Mutex
	room    int
	waiting []*visitor
}

// A visitor waits for room.
type visitor struct {
	latch setter
	in    bool // under the gate's lock: it has been given room
}

// try takes room if there is any and nobody waits for it.
func (g *gate) try() bool {
	if g == nil {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.take()
}

// take is try under the lock.
func (g *gate) take() bool {
	if g.room == 0 || len(g.waiting) > 0 {
		return false
	}
	g.room--
	return true
}

// enter takes room. wait blocks until the latch is set, also when ctx ends: then
// enter returns ctx.Err(), without room.
func (g *gate) enter(ctx context.Context, latch setter, wait func()) error {
	g.mu.Lock()
	if g.take() {
		g.mu.Unlock()
		return nil
	}
	v := &visitor{latch: latch}
	g.waiting = append(g.waiting, v)
	g.mu.Unlock()
	if ctx.Done() != nil {
		defer contexts.AfterFunc(ctx, latch.Set)()
	}
	wait()
	return g.giveUp(ctx, v)
}

// giveUp ends the visit of v, unless it has been given room.
func (g *gate) giveUp(ctx context.Context, v *visitor) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if v.in {
		return nil
	}
	for i := range g.waiting {
		if g.waiting[i] == v {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			break
		}
	}
	return ctx.Err()
}

// leave gives room back: to whoever waits longest, if anybody does.
func (g *gate) leave() {
	g.mu.Lock()
	if len(g.waiting) == 0 {
		g.room++
		g.mu.Unlock()
		return
	}
	v := g.waiting[0]
	g.waiting = g.waiting[1:]
	v.in = true
	g.mu.Unlock()
	v.latch.Set()
}

// enterQueue takes what a job from outside needs to be injected: a reference to
// the pool, and room in the injector, for which it blocks until ctx ends.
func (p *Pool) enterQueue(ctx context.Context, j *job) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.gate == nil {
		return nil
	}
	latch := new(sleep.LockLatch)
	return p.enterGate(ctx, j, latch, latch.Wait)
}

// enterQueueFrom is enterQueue for a worker of another pool, which works while it
// waits.
func (p *Pool) enterQueueFrom(w *Worker, j *job) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.gate == nil {
		return nil
	}
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	returned := false
	defer func() {
		if !returned { // a job that ran meanwhile called Goexit
			p.gate.leave()
			p.release()
		}
	}()
	err := p.enterGate(context.Background(), j, latch, func() { w.waitOut(&latch.CoreLatch, waitsForRoom) })
	returned = true
	return err
}

func (p *Pool) enterGate(ctx context.Context, j *job, latch setter, wait func()) error {
	if err := p.gate.enter(ctx, latch, wait); err != nil {
		p.release()
		return err
	}
	j.guest = true
	return nil
}
