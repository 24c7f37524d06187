package strategy

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A Resumable strategy can say, between two executions, all that it knows, and another
// one of the same name goes on from there: with the same executions it makes the choices
// that the first would have made. Every strategy that Parse returns is one.
//
// AppendBinary appends that state, and UnmarshalBinary takes it up in the place of what
// the strategy knew. What it cannot take up, because it is of another strategy or version,
// cut short or changed, is an error that wraps ErrState, and leaves the strategy as it was. What a
// state says is for the same program only: another may choose otherwise.
//
// The size of a state is that of what the strategy keeps, and its cost about that of
// copying it.
type Resumable interface {
	Strategy
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// A Growing strategy is a Resumable one whose state is large, and changes little from one
// execution to the next: DFS with a bound.
type Growing interface {
	Resumable
	// AppendGrowth appends what has come to the state since it was last appended by
	// AppendBinary or AppendGrowth, or taken up. UnmarshalBinary takes a state with all its
	// growths behind it, in their order. Now and then that is the whole state once more, in the
	// place of all before it.
	AppendGrowth(b []byte) ([]byte, error)
}

// ErrState is wrapped by the errors of UnmarshalBinary.
var ErrState = errors.New("no state to go on from")

// A state is a list of records: the first is whole, and those that follow are what it has
// grown by, or whole again. A record is the mark, the version, the kind, the strategy's
// name, what it says, and the CRC-32 (IEEE) of all that, which goes on from that of the
// record before if it is a growth: none can be left out, changed or moved unnoticed.
const (
	stateMark    = "\x00rouse strategy"
	stateVersion = 2
)

type recordKind byte

const (
	wholeRecord recordKind = iota
	growthRecord
)

const crcSize = 4

// appendRecord appends a record, and returns its CRC.
func appendRecord(b []byte, name string, kind recordKind, chain uint32, say func(c *coder)) ([]byte, uint32) {
	from := len(b)
	b = append(b, stateMark...)
	b = append(b, stateVersion, byte(kind))
	b = binary.AppendUvarint(b, uint64(len(name)))
	b = append(b, name...)
	// The length comes before what it is of, and has a fixed size so that nothing moves.
	at := len(b)
	b = append(b, make([]byte, 8)...)
	c := coder{bytes: b}
	say(&c)
	b = c.bytes
	binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	if kind == wholeRecord {
		chain = 0
	}
	crc := crc32.Update(chain, crc32.IEEETable, b[from:])
	return binary.LittleEndian.AppendUint32(b, crc), crc
}

// readState reads all records of a state: each is given to take, which says whether it
// makes sense. It returns the last CRC.
func readState(data []byte, name string, take func(kind recordKind, c *coder) bool) (chain uint32, err error) {
	refuse := func(format string, args ...any) (uint32, error) {
		return 0, fmt.Errorf("strategy: %s: %w: %s", name, ErrState, fmt.Sprintf(format, args...))
	}
	if len(data) == 0 {
		return refuse("it is empty")
	}
	for first := true; len(data) > 0; first = false {
		whole := data
		if len(data) < len(stateMark)+2 || string(data[:len(stateMark)]) != stateMark {
			return refuse("it is something else, or damaged")
		}
		data = data[len(stateMark):]
		if v := data[0]; v != stateVersion {
			return refuse("it is of version %d, want version %d", v, stateVersion)
		}
		kind := recordKind(data[1])
		c := coder{bytes: data[2:], reading: true}
		was := string(c.take(c.uvarint()))
		var size uint64
		if length := c.take(8); length != nil {
			size = binary.LittleEndian.Uint64(length)
		}
		said, sum := c.take(size), c.take(crcSize)
		if c.bad {
			return refuse("it is cut short, or damaged")
		}
		if kind == wholeRecord {
			chain = 0
		}
		crc := crc32.Update(chain, crc32.IEEETable, whole[:len(whole)-len(c.bytes)-crcSize])
		switch {
		case crc != binary.LittleEndian.Uint32(sum):
			return refuse("it is damaged: its checksum is another")
		case was != name:
			return refuse("it is of %s", was)
		case kind > growthRecord || first && kind != wholeRecord:
			return refuse("its beginning is missing")
		}
		chain, data = crc, c.bytes
		body := coder{bytes: said, reading: true}
		if !take(kind, &body) || body.bad || len(body.bytes) > 0 {
			return 0, stateError(name)
		}
	}
	return chain, nil
}

// appendWhole appends a state that is always one record.
func appendWhole(b []byte, name string, say func(c *coder)) ([]byte, error) {
	b, _ = appendRecord(b, name, wholeRecord, 0, say)
	return b, nil
}

// readWhole reads a state that is one record. What take reads it into, must not be used if it
// fails.
func readWhole(data []byte, name string, take func(c *coder) bool) error {
	records := 0
	_, err := readState(data, name, func(kind recordKind, c *coder) bool {
		records++
		return kind == wholeRecord && records == 1 && take(c)
	})
	return err
}

// appendNothing and readNothing are for strategies that know nothing from one execution to
// the next.
func appendNothing(b []byte, name string) ([]byte, error) {
	return appendWhole(b, name, func(*coder) {})
}

func readNothing(data []byte, name string) error {
	return readWhole(data, name, func(*coder) bool { return true })
}

// stateError says that a state is whole and yet says what cannot be.
func stateError(name string) error {
	return fmt.Errorf("strategy: %s: %w: it makes no sense", name, ErrState)
}
