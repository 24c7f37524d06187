package timers

import (
	"testing"
	"time"
)

func TestBatcherClose(t *testing.T) {
	t.Parallel()
	out := make(chan []string, 4)
	b := NewBatcher(out)
	for _, line := range []string{"a", "b", "c"} {
		b.Add(line, time.Second)
	}
	b.Close()
	n := 0
	for lines := range out {
		n += len(lines)
	}
	if n != 3 {
		t.Errorf("%d lines, want 3", n)
	}
}
