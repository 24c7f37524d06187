package proptest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
)

// A History records operations of several goroutines on one subject. Its clock
// is a shared counter, which orders the goroutines: its records are right, but a
// race detector sees fewer races than there may be.
type History struct {
	clock atomic.Int64
	mu    sync.Mutex
	ops   []porcupine.Operation
}

// Do calls f as an operation of the client and records it. Each client is one
// goroutine.
func (h *History) Do(client int, input any, f func() (output any)) {
	call := h.clock.Add(1)
	output := f()
	op := porcupine.Operation{ClientId: client, Input: input, Call: call, Output: output, Return: h.clock.Add(1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ops = append(h.ops, op)
}

// Linearizable reports whether some order of the operations, each at a moment
// between its call and its return, is one that the model allows.
func (h *History) Linearizable(model porcupine.Model) bool {
	return porcupine.CheckOperations(model, h.ops)
}

// Check fails the test if the history is not linearizable.
func (h *History) Check(t testing.TB, model porcupine.Model) {
	t.Helper()
	if !h.Linearizable(model) {
		t.Fatalf("not linearizable:\n%s", h)
	}
}

// String lists the operations in order of their calls.
func (h *History) String() string {
	ops := slices.Clone(h.ops)
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "%4d to %4d  client %d: %v -> %v\n", op.Call, op.Return, op.ClientId, op.Input, op.Output)
	}
	return b.String()
}

// Together calls all functions at once, each on a goroutine of its own, and
// returns when all have returned.
func Together(functions ...func()) {
	var ready, done sync.WaitGroup
	ready.Add(len(functions))
	start := make(chan struct{})
	for _, f := range functions {
		done.Go(func() {
			ready.Done()
			<-start
			f()
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}
