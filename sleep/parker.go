package sleep

import (
	"time" // not the drop-in: no decision depends on how long a worker has slept

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A parker is where one worker sleeps. Its lock is the sleep lock of the protocol.
type parker struct {
	mu   sync.Mutex
	cond sync.Cond
	// blocked: the worker waits, or is about to and will not look again. The worker sets it, its
	// waker clears it. While it is true the worker holds one unit of the sleeping counter.
	blocked bool
	// parked: the worker is inside its wait. Unlike blocked it outlasts a lost notification.
	parked bool
	// private: the worker sleeps outside the counters (Q): blocked holds no unit, and no post may
	// wake it.
	private bool
	// notified: the worker has been notified, but has not yet cleared blocked. RFC 5 only.
	notified bool
	// ahead: the post that woke the worker has woken two, one of them ahead of need. JEC only.
	ahead bool

	sleeps, wakes, spurious uint64        // wakes: sent; spurious: waits that ended without one
	slept                   time.Duration // in waits that are over
	since                   time.Time     // when the current wait began

	_ [64]byte // its own cache line
}

// notify wakes the worker. The caller holds the lock, has updated blocked, and hands the worker
// over.
func (p *parker) notify() {
	p.wakes++
	for range hooks.Notify(pointWakeNotify) {
		p.cond.Signal()
		if !hooks.Enabled {
			break
		}
	}
}

// block is F8: it waits until a waker clears blocked. The caller has held the lock since before its
// latch became SLEEPING.
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

// blockOnce waits for one notification, or a spurious wake. The caller holds the lock.
func (p *parker) blockOnce() {
	p.begin()
	p.wait()
	if !p.notified {
		p.spurious++
	}
	p.blocked, p.notified = false, false
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

// ParkerState is how one worker sleeps, for dumps.
type ParkerState struct {
	Asleep                  bool // inside its wait
	Notified                bool // asleep, but woken: the notification is under way, or lost
	Private                 bool // asleep outside the counters, where no post wakes it
	Sleeps, Wakes, Spurious uint64
	Parked                  time.Duration // time asleep, up to now
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

func (s *parking) Parker(worker int) ParkerState {
	p := &s.parkers[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	state := ParkerState{
		Asleep:   p.parked,
		Notified: p.parked && (!p.blocked || p.notified),
		Private:  p.parked && p.private,
		Sleeps:   p.sleeps, Wakes: p.wakes, Spurious: p.spurious,
		Parked: p.slept,
	}
	if p.parked {
		state.Parked += time.Since(p.since)
	}
	return state
}
