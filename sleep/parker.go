package sleep

import (
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

	sleeps, wakes, spurious uint64 // wakes: sent; spurious: waits that ended without one

	_ [64]byte // keeps neighbours off this cache line
}

// block is F8: it waits until someone clears blocked. The caller holds the lock,
// and has held it since before its latch said SLEEPING.
func (p *parker) block() {
	p.blocked, p.parked = true, true
	p.sleeps++
	for p.blocked {
		if hooks.Fail(pointBlock) {
			p.mu.Unlock() // a spurious wake is a wait that ends at once
			p.mu.Lock()
		} else {
			p.cond.Wait()
		}
		if p.blocked {
			p.spurious++
		}
	}
	p.parked = false
}

// ParkerState says how one worker sleeps, for dumps.
type ParkerState struct {
	Asleep                  bool // inside its wait
	Notified                bool // asleep although somebody has woken it: the notification is under way, or lost
	Sleeps, Wakes, Spurious uint64
}
