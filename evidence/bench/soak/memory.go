package soak

import (
	"fmt"
	"runtime"
	"runtime/metrics"
)

// A reading is the memory that the process uses, in bytes.
type reading struct {
	heap  uint64 // objects that the last collection found alive
	inUse uint64 // objects and stacks, garbage included
}

func readMemory() reading {
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(s)
	return reading{s[0].Value.Uint64(), s[1].Value.Uint64() + s[2].Value.Uint64()}
}

// collected returns a reading just after a garbage collection.
func collected() reading {
	runtime.GC()
	return readMemory()
}

// rest is the memory that may remain when all pools are closed, above that before the first was
// opened: what package runtime keeps of ended goroutines, and the tables of this package.
const rest = 16 << 20

// A memoryCheck judges readings.
type memoryCheck struct {
	start reading
	limit uint64 // of memory in use at any time
	peak  uint64
}

// look checks a reading during the run. It returns a description of the problem, or "".
func (m *memoryCheck) look(r reading) string {
	before := m.peak
	m.peak = max(m.peak, r.inUse)
	if r.inUse > m.limit && before <= m.limit { // once
		return fmt.Sprintf("%d MiB in use, want %d at most", r.inUse>>20, m.limit>>20)
	}
	return ""
}

// end checks a reading after everything is closed.
func (m *memoryCheck) end(r reading) string {
	if r.heap > m.start.heap+rest {
		return fmt.Sprintf("%d MiB are alive when all pools are closed, %d before the first was opened: want %d more at most", r.heap>>20, m.start.heap>>20, rest>>20)
	}
	return ""
}
