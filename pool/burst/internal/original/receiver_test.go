package original

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

// ErrOrphaned: the sender is gone.
var ErrOrphaned = errors.New("original: the sender is gone")

// A Receiver is for one goroutine.
type Receiver[T any] struct {
	worker  *worker[T]
	eventfd eventfd
}

// Recv blocks until there is a payload, and the sender has woken all, according to its
// documentation.
func (r *Receiver[T]) Recv() (*T, error) {
	hooks.At(pointRecvWaiting)
	switch was := r.worker.compareAndSwap(running, waiting); was { // R1
	case running:
	case orphaned:
		return nil, ErrOrphaned
	default:
		panic(fmt.Sprintf("original: recv: bad state %d at R1", was))
	}
	if !r.awaitWork() {
		return nil, ErrOrphaned
	}
	hooks.At(pointReadToken)
	if err := r.eventfd.read(); err != nil { // R4
		panic(fmt.Sprintf("original: recv: read: %v", err))
	}
	hooks.At(pointSlotTake)
	x := r.worker.slot.Swap(nil) // R5
	if x == nil {
		panic("original: recv: the slot is empty")
	}
	return x, nil
}

// awaitWork is R2 and R3. It returns false if the sender is gone.
func (r *Receiver[T]) awaitWork() bool {
	for {
		if err := r.eventfd.poll(); err != nil { // R2
			panic(fmt.Sprintf("original: recv: poll: %v", err))
		}
		hooks.At(pointRecvTake)
		switch was := r.worker.compareAndSwap(pending, running); was { // R3
		case pending:
			return true
		case waiting: // another's wakeup: let it have it, and poll again
			hooks.Gosched()
		case orphaned:
			return false
		default:
			panic(fmt.Sprintf("original: recv: bad state %d at R3", was))
		}
	}
}
