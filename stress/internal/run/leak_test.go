package run

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// deep waits below n frames.
func deep(n int, wait func()) {
	if n > 0 {
		deep(n-1, wait)
	} else {
		wait()
	}
}

// TestDeepStacks: a goroutine with more frames than the runtime prints has leaked if it stays, and has not
// if it ends.
func TestDeepStacks(t *testing.T) {
	before, end := goleak.IgnoreCurrent(), make(chan struct{})
	begun := make(chan struct{})
	go deep(500, func() { close(begun); <-end })
	<-begun
	found := leaked(before)
	if len(found) != 1 || found[0].Verdict != verdict.Leak || !strings.Contains(found[0].Summary, "[chan receive] in run.TestDeepStacks.func1") {
		t.Errorf("one that stays: %+v", found)
	}
	close(end)
	begun = make(chan struct{})
	go deep(500, func() { close(begun); time.Sleep(200 * time.Millisecond) })
	<-begun
	if found := leaked(before); found != nil {
		t.Errorf("one that ends: %+v", found)
	}
}
