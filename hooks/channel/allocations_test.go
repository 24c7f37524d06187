//go:build !chaos && !race

package channel_test

import (
	"testing"

	"github.com/rouse-go/rouse/hooks/channel"
)

// Catches: a Select that allocates more than its documentation says, and one that is said to
// allocate and doesn't.
func TestSelectAllocatesOncePerCase(t *testing.T) {
	ready, never := make(chan int, 1), make(chan string)
	x, text := 0, ""
	for cases, op := range map[int]func(){
		0: func() { channel.Send(ready, 1); channel.Receive(ready) },
		1: func() { channel.Send(ready, 1); channel.Select(channel.OnReceive(ready, &x, nil), channel.Default) },
		2: func() {
			channel.Send(ready, 1)
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil))
		},
		3: func() {
			channel.Send(ready, 1)
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil), channel.OnSend(never, ""), channel.Default)
		},
		4: func() {
			channel.Send(ready, 1)
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil),
				channel.OnSend(never, text), channel.OnReceive(never, nil, nil))
		},
	} {
		if n := testing.AllocsPerRun(100, op); n != float64(cases) {
			t.Errorf("%d cases: %g allocations", cases, n)
		}
	}
}
