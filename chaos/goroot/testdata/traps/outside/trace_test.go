//go:build go1.26

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
