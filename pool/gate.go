package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool/internal/contexts"
	"github.com/rouse-go/rouse/sleep"
)

// A gate bounds the number of jobs in the injector, or in a group; those that come when it is full
// wait, first come, first served. A nil gate is open. No wait for room lasts for good, since whatever has its
// turn uses the room at once (README.md, "Bounded injection").
type gate struct {
	mu      sync.Mutex
	room    int // free; 0 if anything waits
	waiting []*visitor
}

// A visitor waits for room.
type visitor struct {
	job   *job   // posted where room is made; or nil, and the caller posts its own
	latch setter // of the caller, if it waits
	in    bool   // under the gate's lock: it has been given room
}

// try takes room for n jobs if there is enough and nothing waits for it.
func (g *gate) try(n int) bool {
	if g == nil {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.take(n)
}

// take is try under the lock.
func (g *gate) take(n int) bool {
	if g.room < n || len(g.waiting) > 0 {
		return false
	}
	g.room -= n
	return true
}

// enter takes room. wait blocks until the latch is set, also when ctx ends: then enter returns
// ctx.Err(), without room.
func (g *gate) enter(ctx context.Context, latch setter, wait func()) error {
	g.mu.Lock()
	if g.take(1) {
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

// enterLater takes room for j and reports true; or else it lets j wait for room, to be returned by
// leave, which sets the latch, unless that is nil. The latch is made only then.
func (g *gate) enterLater(j *job, latch func() setter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.take(1) {
		return true
	}
	g.waiting = append(g.waiting, &visitor{job: j, latch: latch()})
	return false
}

// leave gives room back, to what waits longest, if anything does. If that is a job, it is the
// caller's to post. If nothing waits, the spare that has been in the room, if it was one, is at rest
// before others may have the room.
func (g *gate) leave(spare *Worker) *job {
	g.mu.Lock()
	if len(g.waiting) == 0 {
		spare.restEarly()
		g.room++
		g.mu.Unlock()
		return nil
	}
	v := g.waiting[0]
	g.waiting[0] = nil
	g.waiting = g.waiting[1:]
	v.in = true
	g.mu.Unlock()
	if v.latch != nil {
		v.latch.Set()
	}
	return v.job
}

// enterQueue takes what a job from outside needs to be injected: a reference to the pool, and room
// in the injector, for which it blocks until ctx ends. It is called by that entry; a worker of the
// pool that would have to wait is to call another one.
func (p *Pool) enterQueue(ctx context.Context, j *job, entry, instead string) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.gate == nil {
		return nil
	}
	if !p.gate.try(1) {
		p.outsideIfFull(entry, instead)
		latch := new(sleep.LockLatch)
		if err := p.gate.enter(ctx, latch, latch.Wait); err != nil {
			p.release()
			return err
		}
	}
	j.guest = true
	return nil
}

// injectOrQueue injects the job of a worker of another pool as soon as there is room. It does not
// block.
func (p *Pool) injectOrQueue(j *job) error {
	if err := p.enter(); err != nil {
		return err
	}
	if p.gate != nil {
		j.guest = true
		if !p.gate.enterLater(j, func() setter { return nil }) {
			return nil
		}
	}
	p.inject(j)
	return nil
}

// letIn is called when a job has been taken out of the injector that had room there.
func (p *Pool) letIn() {
	if j := p.gate.leave(nil); j != nil {
		p.inject(j)
	}
}
