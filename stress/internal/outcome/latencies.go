package outcome

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies counts executions by their duration, to two significant digits, from a
// microsecond to an hour. The zero value is empty. Its size depends on how different the
// durations are, not on how many. It is not safe for concurrent use, and a copy of it may
// only be read.
type Latencies struct{ h *hdrhistogram.PackedHistogram }

const (
	LatencyUnit   = time.Microsecond
	mostLatency   = int64(time.Hour / LatencyUnit)
	latencyDigits = 2
)

// Add counts an execution.
func (l *Latencies) Add(took time.Duration) { l.add(int64(took/LatencyUnit), 1) }

func (l *Latencies) add(units, n int64) {
	l.init()
	// Within the bounds, it can't refuse.
	l.h.RecordValues(min(max(units, 1), mostLatency), n) //nolint:errcheck
}

func (l *Latencies) init() {
	if l.h == nil {
		l.h = hdrhistogram.NewPacked(1, mostLatency, latencyDigits)
	}
}

// Merge adds the counts of other.
func (l *Latencies) Merge(other *Latencies) {
	if other.h != nil {
		l.init()
		l.h.Merge(other.h)
	}
}

// Each calls yield with each latency, rounded down to two digits, and how many executions took
// that long, the shortest first.
func (l *Latencies) Each(yield func(took time.Duration, executions int64) bool) {
	if l.h != nil {
		l.h.ForEachBucket(func(v, n int64) bool { return yield(time.Duration(v)*LatencyUnit, n) })
	}
}

// Count returns the number of executions.
func (l *Latencies) Count() (all int64) {
	for _, n := range l.Each {
		all += n
	}
	return all
}

// Quantile returns the longest duration of the fastest share q of the executions, from 0 to 1, or 0 if there are none.
func (l *Latencies) Quantile(q float64) (took time.Duration) {
	wanted := int64(math.Ceil(q * float64(l.Count())))
	var n int64
	for at, here := range l.Each {
		took = at
		if n += here; n >= wanted {
			break
		}
	}
	return took
}

// MarshalJSON writes pairs: microseconds, and how many executions took that long.
func (l Latencies) MarshalJSON() ([]byte, error) {
	pairs := [][2]int64{}
	for took, n := range l.Each {
		pairs = append(pairs, [2]int64{int64(took / LatencyUnit), n})
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (l *Latencies) UnmarshalJSON(text []byte) error {
	var pairs [][2]int64
	if err := json.Unmarshal(text, &pairs); err != nil {
		return err
	}
	*l = Latencies{}
	all := int64(0)
	for _, p := range pairs {
		if p[0] < 1 || p[0] > mostLatency || p[1] < 1 || p[1] > math.MaxInt64-all {
			return fmt.Errorf("%d executions of %d µs: want at least one, of an hour at most", p[1], p[0])
		}
		all += p[1]
		l.add(p[0], p[1])
	}
	return nil
}

// IsZero reports whether no executions have been counted.
func (l Latencies) IsZero() bool { return l.h == nil }
