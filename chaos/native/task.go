package native

import (
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/internal/seam"
)

// A task is the state that the engine keeps of one goroutine. Fields without a remark are
// written by that goroutine only; others read single words of them without synchronisation (on
// a 32-bit machine, possibly half of a 64-bit count).
type task struct {
	g      uintptr // the goroutine's number; immutable
	id     *ident  // immutable
	stream uint64  // seed and path: the beginning of every draw; immutable

	label    atomic.Pointer[string] // nil until it is named
	children uint64
	visits   []uint64                 // by Point.Index
	counted  atomic.Pointer[[]uint64] // visits, for others to read
	marks    []mark                   // by fault of the plan; nil if there are none
	recent   ring
	last     lastVisits

	below        atomic.Pointer[task] // next in the same bucket; registry.mu to write
	elder, newer *task                // list of the living; registry.mu
	ended        bool                 // registry.mu
}

// A mark is the state of one fault in one task.
type mark struct {
	strikes              bool // it is in scope
	hits, skipped, fires uint64
	last                 uint64 // number of the visit at which it fired last, from 1
}

// name returns the task's label, or "".
//
//go:norace
func (t *task) name() string {
	if l := t.label.Load(); l != nil {
		return *l
	}
	return ""
}

// visit counts a visit of p and returns its number, from 0.
//
//go:norace
func (t *task) visit(p *seam.Point) uint64 {
	if p.Index >= len(t.visits) {
		t.grow((p.Index + 64) &^ 63)
	}
	n := t.visits[p.Index]
	t.visits[p.Index] = n + 1
	return n
}

// grow makes room for a point that was declared after the task began.
//
//go:norace
func (t *task) grow(size int) {
	visits := enlarged(t.visits, size)
	t.visits = visits
	t.counted.Store(&visits)
}

// A registry finds the task of a goroutine, and keeps the counts of tasks that have ended. A
// lookup takes no lock and writes nothing; the start and the end of a task take mu. All of it
// happens between Hide and Show.
type registry struct {
	// buckets hold the living tasks by goroutine, the youngest first: a wrapped body that is
	// called without go has its caller's entry below its own. A goroutine looks only for its
	// own entry, which only itself removes; a removed entry still links to those below it.
	buckets [1 << bucketBits]atomic.Pointer[task]

	mu       sync.Mutex
	youngest *task // the living, by age
	living   int
	ended    [keepEnded]*task // the last tasks that ended; a ring
	endings  uint64           // number of tasks that have ended
	foreign  uint64           // number of foreign tasks so far
	gone     tally            // of the tasks that left the ring
}

const (
	bucketBits = 12
	keepEnded  = 256 // whose events can be read; at most 5 KiB each
)

//go:norace
func bucketOf(g uintptr) uint64 {
	return uint64(g) * 0x9e3779b97f4a7c15 >> (64 - bucketBits) // Fibonacci hashing
}

// find returns the task of the goroutine, or nil.
//
//go:norace
func (r *registry) find(g uintptr) *task {
	t := r.buckets[bucketOf(g)].Load()
	for t != nil && t.g != g {
		t = t.below.Load()
	}
	return t
}

// enter adds t.
//
//go:norace
func (r *registry) enter(t *task) {
	r.mu.Lock()
	r.enterLocked(t)
	r.mu.Unlock()
}

//go:norace
func (r *registry) enterLocked(t *task) {
	head := &r.buckets[bucketOf(t.g)]
	t.below.Store(head.Load())
	head.Store(t)
	t.elder = r.youngest
	if r.youngest != nil {
		r.youngest.newer = t
	}
	r.youngest = t
	r.living++
}

// leave removes t, whose goroutine has ended or continues as the task that it was before.
//
//go:norace
func (r *registry) leave(t *task) {
	r.mu.Lock()
	link := &r.buckets[bucketOf(t.g)]
	for link.Load() != t {
		link = &link.Load().below
	}
	link.Store(t.below.Load())
	if t.elder != nil {
		t.elder.newer = t.newer
	}
	if t.newer != nil {
		t.newer.elder = t.elder
	} else {
		r.youngest = t.elder
	}
	// elder and newer are cleared so that ended tasks do not keep each other alive. below
	// stays: another goroutine may be following it.
	t.elder, t.newer = nil, nil
	r.living--
	t.ended = true
	place := &r.ended[r.endings%keepEnded]
	if *place != nil {
		r.gone.add(*place)
	}
	*place = t
	r.endings++
	r.mu.Unlock()
}

// tasks returns the last tasks that ended and then the living, both by age. Called with mu held.
//
//go:norace
func (r *registry) tasks() []*task {
	n := int(min(r.endings, keepEnded))
	all := make([]*task, n+r.living)
	for i := range n {
		all[i] = r.ended[(r.endings-uint64(n)+uint64(i))%keepEnded]
	}
	for t, i := r.youngest, len(all)-1; t != nil; t, i = t.elder, i-1 {
		all[i] = t
	}
	return all
}
