package burst

import (
	"runtime"
	"testing"
)

// Catches: a list that grows with the messages.
func TestWakeForgets(t *testing.T) {
	s := NewSender[int]()
	r, err := s.NewReceiver()
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan int)
	go func() {
		v, _ := r.Receive()
		received <- v
	}()
	for s.Enqueue(1) != nil {
		runtime.Gosched()
	}
	s.Wake()
	<-received
	if len(s.filled) != 0 || s.filled[:1][0] != nil {
		t.Errorf("the sender remembers %d receivers after the wake", len(s.filled))
	}
}
