package example

import (
	"testing"

	"github.com/bytedance/gopkg/lang/channel"
)

// A channel without a receiver is closed while it is full. Input must not wait forever.
func TestInputBesideClose(*testing.T) {
	ch := channel.New(channel.WithSize(1))
	go ch.Close()
	for range 3 {
		ch.Input(1)
	}
}
