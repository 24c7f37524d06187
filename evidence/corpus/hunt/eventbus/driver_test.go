package example

import (
	"testing"

	"github.com/libp2p/go-libp2p/p2p/host/eventbus"
)

// A subscription is closed while events are emitted that it does not read.
func TestCloseBesideEmit(t *testing.T) {
	bus := eventbus.NewBus()
	sub, err := bus.Subscribe(new(int), eventbus.BufSize(0))
	if err != nil {
		t.Fatal(err)
	}
	e, err := bus.Emitter(new(int), eventbus.Stateful)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Emit(1)
		e.Emit(2)
		e.Close()
	}()
	sub.Close()
	<-done
}
