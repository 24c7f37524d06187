package run

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// Orders are hashes of the partial orders of executions, one each. Their lowest bit is 0. nil is of
// executions whose orders are not counted.
type Orders []uint32

// Add adds the order of an execution with that setting, if it is in the sample of that level.
func (o *Orders) Add(order uint64, setting, level int) {
	if hash := uint32(strategy.ChildKey(order, setting)>>32) &^ 1; Sampled(hash, level) {
		*o = append(*o, hash)
	}
}

// Sampled reports whether a hash is in the sample of that level, which has one of 1<<level.
func Sampled(hash uint32, level int) bool { return hash>>1&(1<<level-1) == 0 }

// MarshalJSON writes base64 of 4 bytes each, the lowest first.
func (o Orders) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 4*len(o))
	for _, hash := range o {
		text = binary.LittleEndian.AppendUint32(text, hash)
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (o *Orders) UnmarshalJSON(text []byte) error {
	var data []byte
	if err := json.Unmarshal(text, &data); err != nil {
		return err
	}
	if len(data)%4 != 0 {
		return errors.New("the orders have 4 bytes each")
	}
	for *o = (Orders{}); len(data) > 0; data = data[4:] {
		*o = append(*o, binary.LittleEndian.Uint32(data))
	}
	return nil
}
