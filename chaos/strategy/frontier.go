package strategy

import "encoding/binary"

// A frontier is a list of schedules, written in the order of the search and read
// in the same order. Neighbours share most of their choices, so each is kept as what
// differs from the one before.
type frontier struct {
	bytes []byte
	at    int // of the next to read
	same  int // branches at the beginning that have not changed since the last one written
}

// changed says that branch i of the schedule is another, and so all that follow.
func (f *frontier) changed(i int) { f.same = min(f.same, i) }

func (f *frontier) empty() bool { return len(f.bytes) == 0 }

// rewound reports whether all have been read.
func (f *frontier) rewound() bool { return f.at == len(f.bytes) }

func (f *frontier) reset() { *f = frontier{bytes: f.bytes[:0]} }

// share returns how much of the frontier has been read.
func (f *frontier) share() float64 { return float64(f.at) / float64(max(1, len(f.bytes))) }

// write appends a schedule, of which the branches before fixed hold its preemptions.
func (f *frontier) write(schedule []branch, fixed int) {
	same := min(f.same, len(schedule))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(same))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(fixed))
	f.bytes = binary.AppendUvarint(f.bytes, uint64(len(schedule)-same))
	for _, b := range schedule[same:] {
		f.bytes = binary.LittleEndian.AppendUint32(f.bytes, b.hash)
		f.bytes = binary.AppendUvarint(f.bytes, uint64(b.step))
		f.bytes = binary.AppendUvarint(f.bytes, uint64(b.n))
		f.bytes = binary.AppendUvarint(f.bytes, uint64(b.alt))
		f.bytes = append(f.bytes, byte(b.kind))
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
		f.at += 4
		b.step, b.n, b.alt = int32(f.uvarint()), int32(f.uvarint()), int32(f.uvarint())
		b.kind = branchKind(f.bytes[f.at])
		f.at++
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
