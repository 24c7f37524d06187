package process

import (
	"bytes"
	"fmt"
)

// Ends is a writer that keeps the beginning and the end of what a child writes. The zero value is
// ready. One goroutine at a time may use it.
type Ends struct {
	head, tail bytes.Buffer
	missing    int
}

const (
	keepHead = 256 << 10 // bytes
	keepTail = 64 << 10  // bytes
)

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	n := len(p)
	room := min(keepHead-e.head.Len(), n)
	e.head.Write(p[:room])
	e.tail.Write(p[room:])
	if over := e.tail.Len() - keepTail; over > 0 {
		e.tail.Next(over)
		e.missing += over
	}
	return n, nil
}

// String returns the kept text, with a line in place of the bytes that were left out.
func (e *Ends) String() string {
	gap := ""
	if e.missing > 0 {
		gap = fmt.Sprintf("\n... %d bytes left out ...\n", e.missing)
	}
	return e.head.String() + gap + e.tail.String()
}
