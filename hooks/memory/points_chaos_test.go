//go:build chaos

package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/internal/seam"
)

// A recorder is an engine that writes down which point is passed.
type recorder struct {
	t         *testing.T
	meanwhile func() // done at the next point, once
	trace     []string
}

func (r *recorder) At(p *seam.Point) {
	if p.Offers != seam.Disturb {
		r.t.Errorf("%s offers %v; nothing here can do more than disturb", p.Name, p.Offers)
	}
	r.trace = append(r.trace, p.Name)
	if f := r.meanwhile; f != nil {
		r.meanwhile = nil // f passes points itself
		f()
	}
}

func (r *recorder) other(p *seam.Point) {
	r.t.Errorf("%s is passed by a verb that can do harm", p.Name)
}

func (r *recorder) Notify(p *seam.Point) int             { r.other(p); return 1 }
func (r *recorder) Fail(p *seam.Point) bool              { r.other(p); return false }
func (r *recorder) Value(p *seam.Point, v uint64) uint64 { r.other(p); return v }
func (r *recorder) Task(f func()) func()                 { return f }
func (r *recorder) Name(string)                          {}
func (r *recorder) Unwinding(any) bool                   { return false }

func install(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{t: t}
	uninstall, ok := seam.Install(r)
	if !ok {
		t.Fatal("another engine is installed")
	}
	t.Cleanup(uninstall)
	return r
}

// points are what the functions pass, by what their names begin with.
var points = map[string]string{
	"Load": "atomic/load", "Store": "atomic/store", "Swap": "atomic/swap", "CompareAndSwap": "atomic/cas",
	"Add": "atomic/add", "And": "atomic/and", "Or": "atomic/or", "Fence": "memory/fence",
}

func TestFunctionsPassOnePointEach(t *testing.T) {
	r := install(t)
	passed := make(map[string]bool)
	for name, call := range calls() {
		want := ""
		for prefix, point := range points {
			if strings.HasPrefix(name, prefix) {
				want = point
			}
		}
		r.trace = nil
		call(memory.SeqCst)
		if !slices.Equal(r.trace, []string{want}) {
			t.Errorf("%s passes %q, want %s", name, r.trace, want)
		}
		passed[want] = true
		r.trace = nil
		if outcome(func() { call(9) }) == "" || len(r.trace) != 0 {
			t.Errorf("%s with a wrong order has passed %q, and not panicked first", name, r.trace)
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
	r := install(t)
	var x atomic.Uint32
	r.meanwhile = func() { x.Store(5) }
	if got := memory.LoadUint32(&x, memory.Acquire); got != 5 {
		t.Errorf("Load: %d, want what was stored at its point", got)
	}
	r.meanwhile = func() { x.Store(6) }
	if memory.CompareAndSwapUint32(&x, 5, 7, memory.AcqRel, memory.Relaxed) {
		t.Error("CompareAndSwap swapped, though the value was changed at its point")
	}
	memory.StoreUint32(&x, 1, memory.Relaxed)
	r.meanwhile = func() { x.Add(1) }
	memory.Fence(memory.SeqCst)
	if got := memory.LoadUint32(&x, memory.Relaxed); got != 2 {
		t.Errorf("below the fence: %d, want 2", got)
	}
}
