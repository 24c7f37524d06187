package timers

import (
	"testing"
	"time"
)

func TestReader(t *testing.T) {
	in := make(chan string, 2)
	go func() {
		for _, m := range []string{"one", "two"} {
			time.Sleep(time.Millisecond)
			in <- m
		}
		close(in)
	}()
	r := NewReader(in)
	for range 3 {
		if m, ok := r.Next(time.Second); ok && m != "one" && m != "two" {
			t.Errorf("the message is %q", m)
		}
	}
}
