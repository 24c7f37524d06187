package outside

import (
	"bytes"
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
