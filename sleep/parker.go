package sleep

import (
	"time" // not the drop-in: nothing is decided by how long somebody has slept

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// parker is where one worker sleeps. Its lock is the sleep lock of the protocol.
type parker struct {
	mu   sync.Mutex
	cond sync.Cond
	// blocked: the worker waits, or is about to and will not look again; set by
	// the worker, cleared by whoever wakes it. While it is true the worker holds
	// one unit of the sleeping counter.
	blocked bool
	// parked: the worker is inside its wait. Set and cleared by the worker.
	// Unlike blocked it survives a notification that was lost.
	parked bool
	// private: the worker sleeps outside the counters (Q): blocked holds no unit, and
	// no post may wake it. Set and cleared by the worker, under mu.
	private bool
	// told: somebody has notified the worker, which alone clears blocked. RFC5's.
	told bool
	// ahead: the post that woke the worker has woken two, one of them ahead of need. Set by
	// the waker, read by the worker. JEC's.
	ahead bool

	sleeps, wakes, spurious uint64        // wakes: sent; spurious: waits that ended without one
	slept                   time.Duration // in waits that are over
	since                   time.Time     // when the wait began that is not

	_ [64]byte // keeps neighbours off this cache line
}

// notify wakes the worker. The caller holds the lock, has said so in blocked, and hands the
// worker over: whoever wakes workers has work, and may go on with it.
func (p *parker) notify() {
	p.wakes++
	for range hooks.Notify(pointWakeNotify) {
		p.cond.Signal()
		if !hooks.Enabled {
			break
		}
	}
}

// block is F8: it waits until someone clears blocked. The caller holds the lock,
// and has held it since before its latch said SLEEPING.
func (p *parker) block() {
	p.begin()
	for p.blocked {
		p.wait()
		if p.blocked {
			p.spurious++
		}
	}
	p.end()
}

// blockOnce waits for one notification, or a wake without one. Who calls it looks for
// what it has missed. The caller holds the lock.
func (p *parker) blockOnce() {
	p.begin()
	p.wait()
	if !p.told {
		p.spurious++
	}
	p.blocked, p.told = false, false
	p.end()
}

func (p *parker) begin() {
	p.blocked, p.parked = true, true
	p.sleeps++
	p.since = time.Now()
}

func (p *parker) wait() {
	if hooks.Enabled && hooks.Fail(pointBlock) {
		p.mu.Unlock() // a spurious wake is a wait that ends at once
		p.mu.Lock()
	} else {
		p.cond.Wait()
	}
}

func (p *parker) end() {
	p.parked = false
	p.slept += time.Since(p.since)
}

// ParkerState says how one worker sleeps, for dumps.
type ParkerState struct {
	Asleep                  bool // inside its wait
	Notified                bool // asleep although somebody has woken it: the notification is under way, or lost
	Private                 bool // asleep outside the counters, where no post wakes it
	Sleeps, Wakes, Spurious uint64
	Parked                  time.Duration // asleep, up to now
}

// parking is where the workers of a pool sleep, whatever the strategy.
type parking struct{ parkers []parker }

func newParking(workers int) parking {
	s := parking{make([]parker, workers)}
	for i := range s.parkers {
		s.parkers[i].cond.L = &s.parkers[i].mu
	}
	return s
}

// Parker says how that worker sleeps. It takes the worker's sleep lock, which
// nobody holds for long but at a hook point.
func (s *parking) Parker(worker int) ParkerState {
	p := &s.parkers[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	return ParkerState{
		Asleep:   p.parked,
		Notified: p.parked && (!p.blocked || p.told),
		Private:  p.parked && p.private,
		Sleeps:   p.sleeps, Wakes: p.wakes, Spurious: p.spurious,
		Parked: p.asleep(),
	}
}

// asleep is how long the worker has slept, up to now. The caller holds the lock.
func (p *parker) asleep() time.Duration {
	if p.parked {
		return p.slept + time.Since(p.since)
	}
	return p.slept
}
