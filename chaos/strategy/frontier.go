package strategy

import (
	"encoding/binary"
	"fmt"
)

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
