package stress

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// A series says its state as a list of frames, each of which has the state of every arm: all of
// it, or what it has grown by since the frame before. A frame is its length, the number
// of arms, and of each how many executions it had, whether it is over, whether this is
// growth, and its strategy's record with its length.

// errNoState: the strategy is of a kind that cannot be gone on with.
var errNoState = errors.New("the strategy has no state to say")

// appendState appends a frame, of growth where the strategies can say it.
func (s *series) appendState(b []byte, growth bool) ([]byte, error) {
	from := len(b)
	b = append(b, make([]byte, 8)...)
	b = binary.AppendUvarint(b, uint64(len(s.arms)))
	for i := range s.arms {
		a := &s.arms[i]
		say, grows := (func([]byte) ([]byte, error))(nil), byte(0)
		if g, ok := a.Strategy.(strategy.Growing); ok && growth {
			say, grows = g.AppendGrowth, 1
		} else if r, ok := a.Strategy.(strategy.Resumable); ok {
			say = r.AppendBinary
		} else {
			return nil, errNoState
		}
		b = binary.AppendUvarint(b, uint64(a.executions))
		over := byte(0)
		if a.over {
			over = 1
		}
		b = append(b, over, grows)
		at := len(b)
		b = append(b, make([]byte, 8)...)
		var err error
		if b, err = say(b); err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint64(b[at:], uint64(len(b)-at-8))
	}
	binary.LittleEndian.PutUint64(b[from:], uint64(len(b)-from-8))
	return b, nil
}

// goOn makes the series one that is in a batch, and has come as far in it as the frames
// say.
func (s *series) goOn(batch int, frames []byte) error {
	arms := make([]seriesArm, s.sizes)
	states := make([][]byte, s.sizes)
	for len(frames) > 0 {
		frame, rest, ok := sized(frames)
		if !ok || !takeFrame(frame, arms, states) {
			return fmt.Errorf("%w: it is cut short, or of another scenario", strategy.ErrState)
		}
		frames = rest
	}
	for i := range arms {
		a := &arms[i]
		a.Strategy = s.make()
		a.observer, _ = a.Strategy.(strategy.Observer)
		r, ok := a.Strategy.(strategy.Resumable)
		if !ok {
			return errNoState
		}
		if err := r.UnmarshalBinary(states[i]); err != nil {
			return err
		}
	}
	s.batch, s.arms = batch, arms
	return nil
}

// takeFrame adds a frame to what the arms are and their states say.
func takeFrame(frame []byte, arms []seriesArm, states [][]byte) bool {
	n, size := binary.Uvarint(frame)
	if size <= 0 || n != uint64(len(arms)) {
		return false
	}
	frame = frame[size:]
	for i := range arms {
		executions, size := binary.Uvarint(frame)
		if size <= 0 || len(frame) < size+2 {
			return false
		}
		arms[i].executions, arms[i].over = int(executions), frame[size] == 1
		growth := frame[size+1] == 1
		state, rest, ok := sized(frame[size+2:])
		if !ok {
			return false
		}
		if !growth {
			states[i] = nil
		}
		states[i], frame = append(states[i], state...), rest
	}
	return len(frame) == 0
}

// sized cuts off what has its length before it.
func sized(b []byte) (text, rest []byte, ok bool) {
	if len(b) < 8 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil, nil, false
	}
	return b[8 : 8+n], b[8+n:], true
}
