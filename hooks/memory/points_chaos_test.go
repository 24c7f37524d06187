//go:build chaos

package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

// points are what the functions pass, by what their names begin with.
var points = map[string]string{
	"Load": "atomic/load", "Store": "atomic/store", "Swap": "atomic/swap", "CompareAndSwap": "atomic/cas",
	"Add": "atomic/add", "And": "atomic/and", "Or": "atomic/or", "Fence": "memory/fence",
}

func TestFunctionsPassOnePointEach(t *testing.T) {
	r := recorder.Install(t)
	passed := make(map[string]bool)
	for name, call := range calls() {
		want := ""
		for prefix, point := range points {
			if strings.HasPrefix(name, prefix) {
				want = point
			}
		}
		r.Trace = nil
		call(memory.SeqCst)
		if !slices.Equal(r.Trace, []string{want}) {
			t.Errorf("%s passes %q, want %s", name, r.Trace, want)
		}
		passed[want] = true
		r.Trace = nil
		if outcome(func() { call(9) }) == "" || len(r.Trace) != 0 {
			t.Errorf("%s with a wrong order has passed %q, and not panicked first", name, r.Trace)
		}
	}
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "memory/") && !passed[p.Name] {
			t.Errorf("%s is declared, and no function passes it", p.Name)
		}
	}
}

// What happens at the point happens before the operation, as in hooks/atomic, and
// in the middle of a fence.
func TestThePointIsBeforeTheOperation(t *testing.T) {
	r := recorder.Install(t)
	var x atomic.Uint32
	r.Next = func() { x.Store(5) }
	if got := memory.LoadUint32(&x, memory.Acquire); got != 5 {
		t.Errorf("Load: %d, want what was stored at its point", got)
	}
	r.Next = func() { x.Store(6) }
	if memory.CompareAndSwapUint32(&x, 5, 7, memory.AcqRel, memory.Relaxed) {
		t.Error("CompareAndSwap swapped, though the value was changed at its point")
	}
	memory.StoreUint32(&x, 1, memory.Relaxed)
	r.Next = func() { x.Add(1) }
	memory.Fence(memory.SeqCst)
	if got := memory.LoadUint32(&x, memory.Relaxed); got != 2 {
		t.Errorf("below the fence: %d, want 2", got)
	}
}
