package strategy

import "encoding/binary"

// A coder writes what it is shown, or reads it from what was written before: what there is
// to a state is listed once, for both. Reading never panics and never makes more
// than the bytes can hold: what is not there or out of bounds makes it bad, and what
// it has read is not to be used then.
type coder struct {
	bytes   []byte // written so far, or still to be read
	reading bool
	bad     bool
}

type integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint32
}

// number codes an integer of at least least and below bound.
func number[T integer](c *coder, n *T, least, bound int64) {
	if !c.reading {
		c.bytes = binary.AppendUvarint(c.bytes, uint64(int64(*n)-least))
		return
	}
	v := c.uvarint()
	if v >= uint64(bound-least) {
		c.bad = true
		return
	}
	*n = T(int64(v) + least)
}

// anyNumber is more than a count of anything can be.
const anyNumber = 1 << 31

// count codes an integer that is not negative.
func (c *coder) count(n *int) { number(c, n, 0, 1<<62) }

// word codes 64 bits that are about random.
func (c *coder) word(w *uint64) {
	if !c.reading {
		c.bytes = binary.LittleEndian.AppendUint64(c.bytes, *w)
	} else if b := c.take(8); b != nil {
		*w = binary.LittleEndian.Uint64(b)
	}
}

func (c *coder) flag(f *bool) {
	n := uint8(0)
	if *f {
		n = 1
	}
	number(c, &n, 0, 2)
	*f = n == 1
}

// list codes a list, of which each element takes at least a byte.
func list[E any](c *coder, s *[]E, element func(i int, e *E)) {
	n := len(*s)
	c.count(&n)
	if c.reading {
		if c.bad || n > len(c.bytes) {
			c.bad = true
			return
		}
		*s = make([]E, n)
	}
	for i := 0; i < n && !c.bad; i++ {
		element(i, &(*s)[i])
	}
}

// raw codes bytes as they are. What it reads is a copy.
func (c *coder) raw(b *[]byte) {
	if !c.reading {
		c.bytes = binary.AppendUvarint(c.bytes, uint64(len(*b)))
		c.bytes = append(c.bytes, *b...)
		return
	}
	*b = append([]byte(nil), c.take(c.uvarint())...)
}

// uvarint reads a number; 0 if there is none.
func (c *coder) uvarint() uint64 {
	n, size := binary.Uvarint(c.bytes)
	if size <= 0 {
		c.bad = true
		return 0
	}
	c.bytes = c.bytes[size:]
	return n
}

// take reads so many bytes; nil if there are not so many.
func (c *coder) take(n uint64) []byte {
	if c.bad || n > uint64(len(c.bytes)) {
		c.bad = true
		return nil
	}
	b := c.bytes[:n]
	c.bytes = c.bytes[n:]
	return b
}
