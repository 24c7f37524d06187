package native

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/firing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// An injector is the engine as the hooks see it.
//
// It must be invisible to the race detector. All code that a verb reaches
//
//   - carries go:norace, which function literals and callees do not inherit;
//   - touches atomics, locks and channels between Hide and Show only;
//   - uses no map, no copy, no append of several elements and no container of the
//     standard library on memory that goroutines share: the runtime reports those
//     accesses whatever the caller carries.
type injector struct {
	seed     uint64
	planSeed uint64
	faults   []*fault      // in the order of the plan
	at       [][]*fault    // the same by Point.Index
	gates    []*quietCount // by Point.Index; nil if no hold waits for the point
	armed    time.Time
	disarmed quietFlag
	inside   quietCount // goroutines in an injected delay or hold
	tasks    registry
	// alike: goroutines cannot be distinguished on this platform. All share one task, under mu.
	alike bool
	mu    sync.Mutex
}

// newInjector prepares a plan that has been checked.
func newInjector(p plan.Plan) *injector {
	in := &injector{
		seed: splitmix.Mix(p.Seed, 0), planSeed: p.Seed,
		armed: time.Now(),
		alike: !self.Known,
	}
	for i, f := range p.Faults {
		point := seam.Lookup(f.At)
		for point.Index >= len(in.at) {
			in.at = append(in.at, nil)
		}
		made := newFault(i, f)
		in.faults = append(in.faults, made)
		in.at[point.Index] = append(in.at[point.Index], made)
		if f.Kind == seam.Hold {
			made.until = in.gate(seam.Lookup(f.Until))
		}
	}
	in.tasks.gone.marks = make([]mark, len(in.faults))
	return in
}

// A disturbance is what faults do at one visit.
type disturbance struct {
	delay  time.Duration
	slow   *fault // the last fault that delays
	hold   *fault // nil if no fault holds
	yields int
	notify int
	fail   bool
	value  uint64
}

// At implements seam.Engine.
//
//go:norace
func (in *injector) At(p *seam.Point) {
	o := in.visit(p, seam.Disturb, 0)
	in.disturb(p, &o)
}

// Notify implements seam.Engine.
//
//go:norace
func (in *injector) Notify(p *seam.Point) int {
	o := in.visit(p, seam.Disturb|seam.Drop|seam.Duplicate, 0)
	in.disturb(p, &o)
	return o.notify
}

// Fail implements seam.Engine.
//
//go:norace
func (in *injector) Fail(p *seam.Point) bool {
	o := in.visit(p, seam.Disturb|seam.Fail|seam.Spurious, 0)
	in.disturb(p, &o)
	return o.fail
}

// Value implements seam.Engine.
//
//go:norace
func (in *injector) Value(p *seam.Point, v uint64) uint64 {
	o := in.visit(p, seam.Disturb|seam.Roll, v)
	in.disturb(p, &o)
	return o.value
}

// Unwinding implements seam.Engine: this engine unwinds no task.
//
//go:norace
func (in *injector) Unwinding(any) bool { return false }

// visit counts and records the visit of p by the calling goroutine, and decides which faults
// fire. can is the set of faults that the verb can carry.
//
//go:norace
func (in *injector) visit(p *seam.Point, can seam.Fault, v uint64) disturbance {
	racing.Hide()
	t := in.current()
	if in.alike {
		in.mu.Lock()
	}
	o := disturbance{notify: 1, value: v}
	n := t.visit(p)
	fired := seam.Fault(0)
	if p.Index < len(in.at) { // else it was declared after Arm
		for _, f := range in.at[p.Index] {
			if f.kind&can != 0 && t.decide(f, p, n) {
				fired |= f.kind
				o.apply(f, draw(t.stream, p, n, f.index))
			}
		}
	}
	s := t.recent.begin()
	e := &s.event
	e.when, e.point, e.visit, e.fired = in.now(), p, n, fired
	e.delay, e.hold, e.valued, e.seen, e.returned = o.delay, o.hold, can&seam.Roll != 0, v, o.value
	t.recent.end(s)
	t.last.note(e)
	if fired != 0 {
		t.noteFaults(in.at[p.Index], e)
	}
	if in.alike {
		in.mu.Unlock()
	}
	racing.Show()
	return o
}

// decide reports whether f fires at the n-th visit of p by t.
//
//go:norace
func (t *task) decide(f *fault, p *seam.Point, n uint64) bool {
	m := &t.marks[f.index]
	if !m.strikes || f.spent() {
		return false
	}
	m.hits++
	if !f.turns.Has(m.hits) {
		m.skipped++
		return false
	}
	if draw(t.stream, p, n, f.index)>>11 >= f.below || !f.take() {
		return false
	}
	m.fires++
	m.last = n + 1
	return true
}

// noteFaults keeps e as the last event of the faults that fired in it.
//
//go:norace
func (t *task) noteFaults(faults []*fault, e *event) {
	for _, f := range faults {
		if t.marks[f.index].last == e.visit+1 {
			t.last.noteFired(e, f.index)
		}
	}
}

// apply adds the effect of f to that of the faults before it.
//
//go:norace
func (o *disturbance) apply(f *fault, drawn uint64) {
	switch f.kind {
	case seam.Delay:
		o.slow = f
		o.delay += firing.Length(&f.line, drawn, lengthSalt)
		if o.delay < 0 {
			o.delay = math.MaxInt64
		}
	case seam.Hold:
		o.hold = f
	case seam.Yield:
		o.yields++
	case seam.Drop:
		o.notify = 0
	case seam.Duplicate:
		o.notify = 2
	case seam.Fail, seam.Spurious:
		o.fail = true
	case seam.Roll:
		if f.sets {
			o.value = f.set
		} else {
			o.value += f.add
		}
	}
}

// disturb spends the time that o asks for, and ends the holds that wait for p. It is called
// without a lock.
//
//go:norace
func (in *injector) disturb(p *seam.Point, o *disturbance) {
	if o.delay > 0 {
		in.sleep(o.delay, o.slow)
	}
	if o.hold != nil {
		in.hold(o.hold)
	}
	for range o.yields {
		runtime.Gosched()
	}
	if p.Index < len(in.gates) && in.gates[p.Index] != nil {
		in.gates[p.Index].add(1)
	}
}

// nap is how long a goroutine sleeps before it looks whether the engine is still armed: 50
// wakes a second cost nothing.
const nap = 20 * time.Millisecond

// sleep returns after d, or within a nap after f was stopped or the engine disarmed.
//
// Rejected: a select on a timer and on a channel that Disarm closes. The runtime serves the
// timer's channel in the name of the P, and to the race detector a P has synchronised with
// every goroutine that ever set a timer there: the sleepers would inherit edges from strangers.
// Hidden, the P has not synchronised even with the start of the program, and the detector
// reports package time. time.Sleep goes through no channel, and is "sleep" in a goroutine dump.
//
//go:norace
func (in *injector) sleep(d time.Duration, f *fault) {
	in.inside.add(1)
	for begin := time.Now(); ; {
		left := d - time.Since(begin)
		if left <= 0 || in.disarmed.isSet() || f.stopped.isSet() {
			break
		}
		time.Sleep(min(left, nap))
	}
	in.inside.add(-1)
}

// now is the time since the engine was armed. It is shown, and reaches no decision.
//
//go:norace
func (in *injector) now() time.Duration { return time.Since(in.armed) }
