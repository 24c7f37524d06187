package outside

import (
	"bytes"
	"runtime/trace"
	"testing"
)

// The execution tracer stays off, and does not keep the test: its reader is no goroutine of the engine's.
func TestTrace(t *testing.T) {
	if trace.IsEnabled() {
		t.Fatal("the last execution has left the tracer on")
	}
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
	trace.Stop()
	if trace.IsEnabled() {
		t.Error("it is on")
	}
}

// A flight recorder has nothing to write.
func TestFlightRecorder(t *testing.T) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Error(err)
	}
	r.Stop()
	if r.Enabled() {
		t.Error("it is on")
	}
}

func TestUncontrolledTrace(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	trace.Stop()
	if b.Len() == 0 {
		t.Error("the trace is empty")
	}
}
