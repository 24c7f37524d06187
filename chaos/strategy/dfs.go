package strategy

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// DFS explores all schedules and picks that take at most bound preemptions: first
// those without any, then those with exactly one, and so on, so that the first
// failure found has the fewest. A preemption is choosing another task while the current
// one could continue: it is enabled, does not spin, and is not about to yield. With a
// negative bound preemptions are not counted and everything is explored depth first. No
// schedule is run twice. The strategy is an Exhaustive one. A loop that repeats reads
// more than a dozen times is either left at that point or run to its end, and then
// Bounded reports it.
//
// It keeps 12 bytes for every branching step that distinguishes a schedule from the one
// before, for all schedules of the last two rounds.
func DFS(bound int) Strategy {
	name := "dfs"
	if bound >= 0 {
		name = fmt.Sprintf("dfs(%d)", bound)
	}
	return &dfs{name: name, bound: bound}
}

// The stack holds the branching steps and picks of the execution; forced steps are
// replayed by themselves. A round with n > 0 preemptions takes each schedule of the
// round before (the base) and each of its steps after its last preemption that
// could have been preempted: stack[:fixed] is the base up to there, with that
// preemption as its last branch, and what follows is explored depth first without
// a further preemption.
type dfs struct {
	name  string
	bound int

	stack []branch
	fixed int
	depth int    // in the stack, of the next branch of the execution
	step  int    // of the execution
	hash  uint64 // of the tasks enabled at all its steps so far

	round     int
	base      []branch
	bases     frontier // of this round
	next      frontier // of the round after it
	begun     bool
	exhausted bool // nothing is left to explore
	leftOut   leftOut
}

// A branch is a step or a pick with more than one alternative.
type branch struct {
	hash uint32 // of the tasks that were enabled up to there
	step int32
	n    int32 // alternatives
	alt  int32 // the one taken; 0 is the default
	kind branchKind
}

type branchKind uint8

const (
	free   branchKind = iota // no alternative preempts
	costly                   // all but the default preempt
	picked                   // a pick
)

// width returns the number of alternatives that take no preemption.
func (b *branch) width(bounded bool) int32 {
	if bounded && b.kind == costly {
		return 1
	}
	return b.n
}

func (d *dfs) Name() string { return d.name }

func (d *dfs) bounded() bool { return d.bound >= 0 }

func (d *dfs) Begin(Execution) bool {
	if !d.exhausted && d.begun && !d.advance() {
		d.exhausted = true
	}
	d.begun = true
	d.depth, d.step, d.hash = 0, -1, 0
	return !d.exhausted
}

// advance moves to the next schedule, if there is one.
func (d *dfs) advance() bool {
	for top := len(d.stack) - 1; top >= d.fixed; top-- {
		if b := &d.stack[top]; b.alt+1 < b.width(d.bounded()) {
			d.stack = d.stack[:top+1]
			b.alt++
			d.next.changed(top)
			return true
		}
	}
	return d.bounded() && d.preempt()
}

// preempt moves to the next preemption: another alternative at the same step,
// a later step of the same base, another base, another round.
func (d *dfs) preempt() bool {
	if d.fixed > 0 {
		last := d.fixed - 1
		d.stack = d.stack[:d.fixed]
		if b := &d.stack[last]; b.alt+1 < b.n {
			b.alt++
			d.next.changed(last)
			return true
		}
		if d.preemptAfter(last, last) {
			return true
		}
	}
	for !d.bases.rewound() {
		same, fixed := d.bases.read(&d.base)
		// What is the same was preempted in the base before; there the branch of the
		// last preemption differs from this one's.
		if d.preemptAfter(min(same, max(0, d.fixed-1)), max(same, fixed)-1) {
			return true
		}
	}
	if d.round == d.bound || d.next.empty() {
		return false
	}
	d.round++
	d.bases, d.next = d.next, d.bases
	d.next.reset()
	d.fixed = 0
	d.stack, d.base = d.stack[:0], d.base[:0]
	return d.preempt()
}

// preemptAfter takes the first alternative at the first step of the base after i
// that can be preempted. Up to kept the stack is as the base has it.
func (d *dfs) preemptAfter(kept, i int) bool {
	for i++; i < len(d.base); i++ {
		if d.base[i].kind != costly {
			continue
		}
		kept = min(kept, len(d.stack))
		d.stack = append(d.stack[:kept], d.base[kept:i+1]...)
		d.stack[i].alt = 1
		d.fixed = i + 1
		d.next.changed(kept)
		return true
	}
	return false
}

func (d *dfs) Next(c *Choice) int {
	d.step++
	h := d.hash
	for _, t := range c.All() {
		h = (bits.RotateLeft64(h, 23) ^ (uint64(t.ID)<<8 | uint64(t.Op.Kind))) * stream
	}
	d.hash = h
	if c.Len() == 1 {
		if d.depth < len(d.stack) {
			if b := &d.stack[d.depth]; int(b.step) < d.step || int(b.step) == d.step && b.kind != picked {
				d.diverge(b, tasksToChoose(1))
			}
		}
		return 0
	}
	kind := free
	if t := c.At(c.Default); t == c.Current && !t.Spinning && t.Op.Kind != Yield {
		kind = costly
	}
	alt := d.branch(c.Len(), kind)
	switch {
	case alt == 0:
		return c.Default
	case alt <= c.Default:
		return alt - 1
	}
	return alt
}

func (d *dfs) Pick(c *Choice, n int) int {
	if c.Asks == RunOn { // the first rounds are explored one by one
		return 0
	}
	return d.branch(n, picked)
}

// branch returns the alternative to take at a branch: that of the stack, and beyond it 0.
func (d *dfs) branch(n int, kind branchKind) int {
	hash := uint32(d.hash >> 32)
	if d.depth == len(d.stack) {
		d.stack = append(d.stack, branch{hash: hash, step: int32(d.step), n: int32(n), kind: kind})
		d.depth++
		return 0
	}
	b := &d.stack[d.depth]
	if b.hash != hash || int(b.step) != d.step || int(b.n) != n || b.kind != kind {
		d.diverge(b, branch{n: int32(n), kind: kind}.String())
	}
	d.depth++
	return int(b.alt)
}

// String describes the choice.
func (b branch) String() string {
	if b.kind == picked {
		return picksToMake(int(b.n))
	}
	return tasksToChoose(int(b.n))
}

// diverge panics: branch b was expected here, or earlier.
func (d *dfs) diverge(b *branch, is string) {
	was := b.String()
	switch {
	case int(b.step) > d.step || b.kind == picked && is == tasksToChoose(1):
		was = tasksToChoose(1)
	case was == is:
		was, is = theseTasks, otherTasks
	}
	panic(&DivergenceError{Strategy: d.name, Step: d.step, Was: was, Is: is})
}

func (d *dfs) End(r Result) {
	if d.depth < len(d.stack) {
		b := &d.stack[d.depth]
		panic(&DivergenceError{Strategy: d.name, Step: int(b.step), Was: b.String(), Is: noStep})
	}
	d.leftOut.note(r)
	d.noteAsides(r.Asides)
	if !d.bounded() || d.round == d.bound {
		return
	}
	// What has not changed since the last schedule written is preempted there.
	for end := len(d.stack); end > max(d.fixed, d.next.same); end-- {
		if d.stack[end-1].kind == costly {
			d.next.write(d.stack[:end], d.fixed)
			return
		}
	}
}

// Complete reports whether every schedule was run to its end, whatever the bound: the last
// round had nothing left to preempt.
func (d *dfs) Complete() bool { return d.exhausted && d.Bounded() == "" }

// Bounded implements Exhaustive.
func (d *dfs) Bounded() string {
	if !d.bounded() || d.exhausted && d.round < d.bound {
		return d.leftOut.text("")
	}
	return d.leftOut.text("at most " + count(d.bound, "preemption", "preemptions"))
}

// A frontier is a list of schedules, written in the order of the search and read in
// the same order. Neighbours share most of their choices, so each is kept as its
// difference from the one before.
type frontier struct {
	bytes []byte
	at    int // where the next begins
	same  int // leading branches that have not changed since the last write
}

// changed notes that branch i of the schedule has changed, and so all that follow.
func (f *frontier) changed(i int) { f.same = min(f.same, i) }

func (f *frontier) empty() bool { return len(f.bytes) == 0 }

// rewound reports whether all have been read.
func (f *frontier) rewound() bool { return f.at == len(f.bytes) }

func (f *frontier) reset() { *f = frontier{bytes: f.bytes[:0]} }

// The bits of a packed branch: alternatives and the one taken, and the step; two are
// left for the kind.
const (
	altBits  = 17
	stepBits = 28
)

// packed returns a branch without its hash.
func (b *branch) packed() uint64 {
	if b.n >= 1<<altBits || b.step >= 1<<stepBits {
		panic(fmt.Sprintf("strategy: DFS can't keep step %d with %d alternatives", b.step, b.n))
	}
	return uint64(b.n) | uint64(b.alt)<<altBits | uint64(b.step)<<(2*altBits) | uint64(b.kind)<<(2*altBits+stepBits)
}

func (b *branch) unpack(p uint64) {
	b.n, b.alt = int32(p&(1<<altBits-1)), int32(p>>altBits&(1<<altBits-1))
	b.step, b.kind = int32(p>>(2*altBits)&(1<<stepBits-1)), branchKind(p>>(2*altBits+stepBits))
}

// branchSize is the size of a branch in a frontier: its hash, and the rest packed.
const branchSize = 4 + 8

// write appends a schedule, of which the branches before fixed hold its preemptions.
func (f *frontier) write(schedule []branch, fixed int) {
	same := min(f.same, len(schedule))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(same))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(fixed))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(len(schedule)-same))
	for i := range schedule[same:] {
		b := &schedule[same+i]
		f.bytes = binary.LittleEndian.AppendUint32(f.bytes, b.hash)
		f.bytes = binary.LittleEndian.AppendUint64(f.bytes, b.packed())
	}
	f.same = len(schedule)
}

// read replaces the schedule read before by the next one. It returns how many
// branches are the same, and which hold its preemptions.
func (f *frontier) read(schedule *[]branch) (same, fixed int) {
	same, fixed = f.uvarint(), f.uvarint()
	s := (*schedule)[:same]
	for n := f.uvarint(); n > 0; n-- {
		var b branch
		b.hash = binary.LittleEndian.Uint32(f.bytes[f.at:])
		b.unpack(binary.LittleEndian.Uint64(f.bytes[f.at+4:]))
		f.at += branchSize
		s = append(s, b)
	}
	*schedule = s
	return same, fixed
}

func (f *frontier) uvarint() int {
	n, size := binary.Uvarint(f.bytes[f.at:])
	f.at += size
	return int(n)
}
