package sleep

import (
	stdatomic "sync/atomic" // not the drop-in: when memory is taken is no step of a schedule
	"time"                  // not the drop-in: no decision depends on how long a worker has slept

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
type parking struct {
	parkers []parker // of the workers
	// Those of the spares are made when one of a chunk first falls asleep: there may be thousands,
	// most of which never do.
	spares []stdatomic.Pointer[parkerChunk]
	most   int // spares
}

type parkerChunk [64]parker

func newParking(workers, spares int) parking {
	const chunk = len(parkerChunk{})
	s := parking{make([]parker, workers), make([]stdatomic.Pointer[parkerChunk], (spares+chunk-1)/chunk), spares}
	for i := range s.parkers {
		s.parkers[i].cond.L = &s.parkers[i].mu
	}
	return s
}

// parker returns where a worker sleeps; nil if it is a spare, and none of its chunk has slept yet.
func (s *parking) parker(worker int) *parker {
	if worker < len(s.parkers) {
		return &s.parkers[worker]
	}
	spare := worker - len(s.parkers)
	c := s.spares[spare/len(parkerChunk{})].Load()
	if c == nil {
		return nil
	}
	return &c[spare%len(parkerChunk{})]
}

// own is parker for the worker itself, before it counts as asleep: so wakers find it. Chunks before
// its own are made, too.
func (s *parking) own(worker int) *parker {
	if p := s.parker(worker); p != nil {
		return p
	}
	for i := range (worker-len(s.parkers))/len(parkerChunk{}) + 1 {
		if s.spares[i].Load() != nil {
			continue
		}
		c := new(parkerChunk)
		for j := range c {
			c[j].cond.L = &c[j].mu
		}
		s.spares[i].CompareAndSwap(nil, c)
	}
	return s.parker(worker)
}

// places returns a number that is larger than the index of any worker that has slept.
func (s *parking) places() int {
	chunks := 0
	for chunks < len(s.spares) && s.spares[chunks].Load() != nil {
		chunks++
	}
	return len(s.parkers) + min(chunks*len(parkerChunk{}), s.most)
}

func (s *parking) Parker(worker int) ParkerState {
	p := s.parker(worker)
	if p == nil {
		return ParkerState{}
	}
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
