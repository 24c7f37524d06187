package strategy

import (
	"encoding/binary"
	"math"
)

// A dfsMark is how much of the frontier its state has said so far, in which round.
type dfsMark struct {
	round, next int
	chain       uint32
	begun       bool // something has been said
}

// AppendBinary implements Resumable. With a bound, the state holds the frontier, which
// may be many megabytes.
func (d *dfs) AppendBinary(b []byte) ([]byte, error) {
	b, crc := appendRecord(b, d.name, wholeRecord, 0, func(c *coder) { d.code(c, wholeRecord) })
	d.said(crc)
	return b, nil
}

// AppendGrowth implements Growing. A round that begins is said whole.
func (d *dfs) AppendGrowth(b []byte) ([]byte, error) {
	if m := &d.mark; !m.begun || m.round != d.round {
		return d.AppendBinary(b)
	}
	b, crc := appendRecord(b, d.name, growthRecord, d.mark.chain, func(c *coder) { d.code(c, growthRecord) })
	d.said(crc)
	return b, nil
}

func (d *dfs) said(crc uint32) { d.mark = dfsMark{d.round, len(d.next.bytes), crc, true} }

// UnmarshalBinary implements Resumable.
func (d *dfs) UnmarshalBinary(data []byte) error {
	read := &dfs{name: d.name, bound: d.bound}
	crc, err := readState(data, d.name, func(kind recordKind, c *coder) bool {
		if kind == wholeRecord {
			read = &dfs{name: d.name, bound: d.bound}
		}
		before := read.round
		read.code(c, kind)
		return !c.bad && (kind == wholeRecord || read.round == before)
	})
	if err == nil && !read.sound() {
		err = stateError(d.name)
	}
	if err != nil {
		return err
	}
	read.said(crc)
	*d = *read
	return nil
}

// code codes the state, or what has changed of it: all but the frontier that is being
// read, and what was said before of the one that is written.
func (d *dfs) code(c *coder, kind recordKind) {
	rounds := int64(1)
	if d.bounded() {
		rounds = int64(d.bound) + 1
	}
	number(c, &d.round, 0, rounds)
	c.count(&d.schedules)
	c.flag(&d.begun)
	c.flag(&d.exhausted)
	d.leftOut.code(c)
	list(c, &d.stack, func(_ int, b *branch) { b.code(c) })
	number(c, &d.fixed, 0, int64(len(d.stack))+1)
	list(c, &d.base, func(_ int, b *branch) { b.code(c) })
	for _, f := range []*frontier{&d.bases, &d.next} {
		c.count(&f.from)
		c.count(&f.at)
		c.count(&f.same)
	}
	if kind == wholeRecord {
		c.raw(&d.bases.bytes)
		c.raw(&d.next.bytes)
		return
	}
	var more []byte
	if !c.reading {
		more = d.next.bytes[d.mark.next:]
	}
	c.raw(&more)
	if c.reading {
		d.next.bytes = append(d.next.bytes, more...)
	}
}

func (b *branch) code(c *coder) {
	number(c, &b.hash, 0, 1<<32)
	number(c, &b.step, 0, 1<<stepBits)
	number(c, &b.n, 2, math.MaxInt32)
	number(c, &b.alt, 0, int64(b.n))
	number(c, &b.kind, 0, int64(picked)+1)
}

// sound reports whether the frontiers can be read to their end.
func (d *dfs) sound() bool {
	return d.bases.sound(len(d.base)) && d.next.sound(0) && d.next.at == 0
}

// sound reports whether what is left of a frontier can be read, by whom has read a schedule
// of that many branches.
func (f *frontier) sound(length int) bool {
	if f.at > len(f.bytes) || f.from > f.at {
		return false
	}
	c := coder{bytes: f.bytes[f.at:], reading: true}
	for len(c.bytes) > 0 {
		same, fixed, more := c.uvarint(), c.uvarint(), c.uvarint()
		if c.bad || same > uint64(length) || more > uint64(len(c.bytes)/branchSize) || fixed > same+more {
			return false
		}
		for text := c.take(more * branchSize); len(text) > 0; text = text[branchSize:] {
			var b branch
			if b.unpack(binary.LittleEndian.Uint64(text[4:])); b.n < 2 || b.alt < 0 || b.alt >= b.n || b.kind > picked {
				return false
			}
		}
		length = int(same + more)
	}
	return true
}
