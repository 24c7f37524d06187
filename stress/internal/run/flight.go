package run

import (
	"bytes"
	"runtime/trace"
	"time"
)

// Approximate limits of a flight recording.
const (
	flightAge   = 2 * time.Second
	flightBytes = 4 << 20
)

// A flight records the process's execution trace, for go tool trace, and keeps the end of it: what led
// to a hang.
type flight struct{ recorder *trace.FlightRecorder }

// startFlight begins a recording. It returns nil if that fails: a process has one at a time.
func startFlight() *flight {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: flightAge, MaxBytes: flightBytes})
	if r.Start() != nil {
		return nil
	}
	return &flight{r}
}

// trace returns the end of the recording, or nil if there is none.
func (f *flight) trace() []byte {
	if f == nil {
		return nil
	}
	var b bytes.Buffer
	if _, err := f.recorder.WriteTo(&b); err != nil {
		return nil
	}
	return b.Bytes()
}

// stop ends the recording.
func (f *flight) stop() {
	if f != nil {
		f.recorder.Stop()
	}
}
