// operators: delete-unlock delete-lock swap-atomics delete-store cas-to-store cas-to-load-and-store
// operators: delete-close delete-send drop-case drop-default add-default delete-cancel delete-signal
// operators: delete-notify unlock-late delete-wait

// Package dropins is searched for mutants: want names those of a line.
package dropins

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

var point = hooks.Declare("dropins/point", "a place", hooks.Disturbs|hooks.Drops)

type hooked struct {
	mu   sync.Mutex
	cond *sync.Cond
	a, b atomic.Int32
	c    chan int
}

func (h *hooked) use(ctx context.Context) {
	h.mu.Lock() // want delete-lock
	hooks.At(point)
	h.mu.Unlock() // want delete-unlock
	hooks.At(point)
	channel.Send(h.c, 1) // want delete-send unlock-late
	h.a.Store(1)         // want swap-atomics delete-store
	hooks.At(point)
	h.b.Store(1) // want delete-store
	for range hooks.Notify(point) {
		h.cond.Signal() // want delete-signal
	}
	_, cancel := context.WithCancel(ctx)
	cancel()             // want delete-cancel
	channel.Receive(h.c) // want delete-wait
	channel.Close(h.c)   // want delete-close
}

func (h *hooked) memory() bool {
	memory.StoreInt32(&h.a, 1, memory.Release)                                   // want delete-store
	return memory.CompareAndSwapInt32(&h.a, 1, 2, memory.AcqRel, memory.Relaxed) // want cas-to-store cas-to-load-and-store
}

func (h *hooked) choose() int {
	v := 0
	channel.Select(channel.OnReceive(h.c, &v, nil), channel.OnSend(h.c, 1), channel.Default) // want drop-case drop-default
	return channel.Select(channel.OnReceive(h.c, &v, nil), channel.OnSend(h.c, 1))           // want drop-case add-default
}
