package orders

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// Hashes holds a hash of the partial order of each execution. The lowest two bits are 0. It is nil if the
// orders of the executions are not counted.
type Hashes []uint32

// countBits is the number of lowest bits of a hash in which a Counter counts.
const countBits = 2

// Add adds the order of an execution with the given setting, if it is in the sample of the given level.
func (h *Hashes) Add(order uint64, setting, level int) {
	if hash := uint32(strategy.ChildKey(order, setting)>>32) &^ mostCounted; sampled(hash, level) {
		*h = append(*h, hash)
	}
}

// sampled reports whether a hash is in the sample of the given level, which has one in 1<<level hashes.
func sampled(hash uint32, level int) bool { return hash>>countBits&(1<<level-1) == 0 }

// MarshalJSON writes the base64 form of the hashes, 4 bytes each, little-endian.
func (h Hashes) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 4*len(h))
	for _, hash := range h {
		text = binary.LittleEndian.AppendUint32(text, hash)
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (h *Hashes) UnmarshalJSON(text []byte) error {
	var data []byte
	if err := json.Unmarshal(text, &data); err != nil {
		return err
	}
	if len(data)%4 != 0 {
		return errors.New("the orders have 4 bytes each")
	}
	for *h = (Hashes{}); len(data) > 0; data = data[4:] {
		*h = append(*h, binary.LittleEndian.Uint32(data))
	}
	return nil
}
