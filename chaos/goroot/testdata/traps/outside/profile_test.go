package outside

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"testing"
)

// The writer of a profile waits in the runtime, and is not waited for by the engine.
func TestProfile(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
	pprof.StopCPUProfile()
	if b.Len() == 0 {
		t.Error("the profile is empty")
	}
}

// An execution does not end while a task is within package pprof, whose lock is that of the process.
func TestProfileEnds(t *testing.T) {
	go func() {
		if err := pprof.StartCPUProfile(io.Discard); err != nil {
			t.Error(err)
		}
		pprof.StopCPUProfile()
	}()
	go pprof.StopCPUProfile()
	runtime.Gosched()
}
