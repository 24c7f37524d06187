package hooked

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/self"
)

// A goroutine that is not a task (started by a library, or by a go statement without hooks.Task)
// runs whenever Go's scheduler lets it, so an execution that it takes part in can be neither
// explored nor repeated. The first hook that it passes ends the execution; the goroutine itself
// continues, as if there were no engine.
//
// Goroutines are identified here by the text of their stacks, which no decision depends on: it is
// read where an execution has failed already.

// outsiders holds the goroutines that are not tasks and have passed a hook in the execution in
// progress.
type outsiders struct {
	watching atomic.Bool // an execution is in progress
	// arrived is a plain word like seam.Control.running: set by outsiders, and read
	// before each decision.
	arrived bool
	looks   *bool // Engine.Looks, which is set then, too
	// leaving: the execution is over, and the goroutines that it has started besides tasks end at
	// the next hook that they pass.
	leaving atomic.Bool

	mu       sync.Mutex
	arrivals []arrival
	known    map[uint64]int // the goroutines that executions have started besides tasks, with the execution's number
	number   int            // of the execution

	earlier dump // the goroutines from before the engine
	// bystanders are goroutines of other tests, which do not concern the execution: a cache, by
	// number.
	bystanders [256]atomic.Uint64
}

// An arrival is the first hook that a goroutine has passed.
type arrival struct {
	id     uint64
	origin string // how the goroutine came about
	call   string // which function of the hooks it calls, and where
	advice string
	stack  string
}

//go:norace
func (o *outsiders) begin() {
	o.arrived = false
	o.setLeaving(false)
	o.watch(true)
}

//go:norace
func (o *outsiders) watch(yes bool) {
	racing.Hide()
	o.watching.Store(yes)
	racing.Show()
}

//go:norace
func (o *outsiders) setLeaving(yes bool) {
	racing.Hide()
	o.leaving.Store(yes)
	racing.Show()
}

// end forgets the arrivals, and lets the goroutines that the execution has started besides tasks
// end, as far as they pass hooks.
func (o *outsiders) end() {
	o.watch(false)
	o.mu.Lock()
	o.arrivals = o.arrivals[:0]
	strange := len(o.known) > 0
	o.number++
	o.mu.Unlock()
	if !strange {
		return
	}
	o.setLeaving(true)
	for begin := time.Now(); time.Since(begin) < settling/4; time.Sleep(settleStep) {
		if !slices.ContainsFunc(o.among(allGoroutines()), func(g goroutine) bool { return g.busy() || g.waitsOutside() }) {
			break
		}
	}
	o.forget()
}

func (o *outsiders) forget() {
	all := allGoroutines()
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range o.known {
		if _, lives := all[id]; !lives {
			delete(o.known, id)
		}
	}
}

// isLeftover reports whether an earlier execution has started the goroutine. mu is held.
func (o *outsiders) isLeftover(id uint64) bool {
	n, ok := o.known[id]
	return ok && n != o.number
}

//go:norace
func (o *outsiders) setArrived() { o.arrived, *o.looks = true, true }

//go:norace
func (e *Tasks) Outside() { e.outside() }

// outside reports whether the calling goroutine has met an execution that it is not part of. The
// goroutine that called Run is not outside.
//
//go:norace
func (e *Tasks) outside() bool {
	racing.Hide()
	present := e.outsiders.watching.Load() || e.outsiders.leaving.Load()
	racing.Show()
	if !present || self.G() == e.root.g {
		return false
	}
	return e.outsiders.recordArrival()
}

func (e *Tasks) AwaitOutside(try func() bool) bool {
	o := &e.outsiders
	id := ownGoroutine().ID
	o.mu.Lock()
	_, known := o.known[id]
	o.mu.Unlock()
	if !known {
		return false
	}
	for !try() {
		o.mu.Lock()
		over := o.isLeftover(id)
		o.mu.Unlock()
		if over {
			runtime.Goexit()
		}
		time.Sleep(settleStep)
	}
	return true
}

// recordArrival records the calling goroutine, unless it belongs to another test. A goroutine
// that an earlier execution has started ends here.
func (o *outsiders) recordArrival() bool {
	g := ownGoroutine()
	if o.knowsBystander(g.ID) {
		return o.watching.Load()
	}
	all := allGoroutines()
	if all.bystander(g, o.earlierGoroutines()) {
		o.addBystander(g.ID)
		return o.watching.Load()
	}
	a := arrivalOf(g)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isLeftover(g.ID) {
		runtime.Goexit()
	}
	if !o.watching.Load() {
		return false
	}
	if !slices.ContainsFunc(o.arrivals, func(b arrival) bool { return b.id == a.id }) {
		o.arrivals = append(o.arrivals, a)
		if all.descends(g, o.known) {
			o.know(a.id)
		}
		o.setArrived()
	}
	return true
}

func (o *outsiders) setEarlier(all dump) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.earlier = all
}

func (o *outsiders) earlierGoroutines() dump {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.earlier
}

// knowsBystander hides its atomics: an engine must not synchronise other tests.
//
//go:norace
func (o *outsiders) knowsBystander(id uint64) bool {
	racing.Hide()
	known := o.bystanders[id%uint64(len(o.bystanders))].Load() == id
	racing.Show()
	return known
}

//go:norace
func (o *outsiders) addBystander(id uint64) {
	racing.Hide()
	o.bystanders[id%uint64(len(o.bystanders))].Store(id)
	racing.Show()
}

// know is called with mu held.
func (o *outsiders) know(id uint64) {
	if o.known == nil || len(o.known) > 1000 {
		o.known = make(map[uint64]int)
	}
	if _, ok := o.known[id]; !ok {
		o.known[id] = o.number
	}
}

// among returns the goroutines of a dump that are outside.
func (o *outsiders) among(all dump) []goroutine {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := all.outside(o.known)
	for _, g := range found {
		o.know(g.ID)
	}
	return found
}

func arrivalOf(g goroutine) arrival {
	a := arrival{id: g.ID, stack: g.subjectStack()}
	a.origin, a.advice = g.origin()
	called, place := g.call()
	a.call = fmt.Sprintf("calls %s in %s", called, place)
	return a
}

// String is the summary of a verdict.
func (a arrival) String() string { return a.origin + " " + a.call + ": " + a.advice }

const (
	// settling is how long outsiders may take until each of them has passed a hook, or blocks, or
	// has ended: of several, the verdict is to name the same one each time.
	settling = 250 * time.Millisecond
	// settleStep is the time between two looks.
	settleStep = 500 * time.Microsecond
)

// reportOutsiders makes outsiders, if there are any, the verdict of the execution in place of any
// other.
func (e *Tasks) reportOutsiders() {
	if !e.outsiders.hasArrived() {
		if e.reportUntracked(); !e.outsiders.hasArrived() {
			return
		}
	}
	e.settleOutside(settling)
	o := &e.outsiders
	o.mu.Lock()
	defer o.mu.Unlock()
	first := slices.MinFunc(o.arrivals, func(a, b arrival) int { return strings.Compare(a.String()+a.stack, b.String()+b.stack) })
	e.Outcome = core.Outcome{Verdict: verdict.Uncontrolled, Summary: first.String(), Detail: first.stack, Cut: e.Outcome.Cut}
}

//go:norace
func (o *outsiders) hasArrived() bool { return o.arrived }

// settleOutside waits, for at most limit, until no goroutine that belongs to the execution and is
// not a task is about to do something. It returns those that are left.
func (e *Tasks) settleOutside(limit time.Duration) []goroutine {
	for begin, idle := time.Now(), 0; ; {
		found := e.outsiders.among(allGoroutines())
		if idle++; slices.ContainsFunc(found, goroutine.busy) {
			idle = 0
		}
		if idle == 2 || time.Since(begin) > limit {
			return found
		}
		time.Sleep(settleStep)
	}
}
