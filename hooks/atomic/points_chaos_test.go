//go:build chaos

package atomic_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

// operations lists the operations of an integer by the points that they are to
// pass.
func operations[T int32 | int64 | uint32 | uint64 | uintptr](x methods[T]) map[string]func() {
	return map[string]func(){
		"atomic/load":  func() { x.Load() },
		"atomic/store": func() { x.Store(1) },
		"atomic/swap":  func() { x.Swap(2) },
		"atomic/cas":   func() { x.CompareAndSwap(2, 3) },
		"atomic/add":   func() { x.Add(1) },
		"atomic/and":   func() { x.And(1) },
		"atomic/or":    func() { x.Or(2) },
	}
}

func TestOperationsPassOnePointEach(t *testing.T) {
	var b atomic.Bool
	var p atomic.Pointer[int]
	var v atomic.Value
	v.Store(1)
	var u unsafe.Pointer
	subjects := map[string]map[string]func(){
		"Int32": operations(new(atomic.Int32)),
		"functions of int32": operations(&variable[int32]{functions: functions[int32]{
			atomic.LoadInt32, atomic.StoreInt32, atomic.SwapInt32, atomic.CompareAndSwapInt32, atomic.AddInt32, atomic.AndInt32, atomic.OrInt32,
		}}),
		"Int64": operations(new(atomic.Int64)),
		"functions of int64": operations(&variable[int64]{functions: functions[int64]{
			atomic.LoadInt64, atomic.StoreInt64, atomic.SwapInt64, atomic.CompareAndSwapInt64, atomic.AddInt64, atomic.AndInt64, atomic.OrInt64,
		}}),
		"Uint32": operations(new(atomic.Uint32)),
		"functions of uint32": operations(&variable[uint32]{functions: functions[uint32]{
			atomic.LoadUint32, atomic.StoreUint32, atomic.SwapUint32, atomic.CompareAndSwapUint32, atomic.AddUint32, atomic.AndUint32, atomic.OrUint32,
		}}),
		"Uint64": operations(new(atomic.Uint64)),
		"functions of uint64": operations(&variable[uint64]{functions: functions[uint64]{
			atomic.LoadUint64, atomic.StoreUint64, atomic.SwapUint64, atomic.CompareAndSwapUint64, atomic.AddUint64, atomic.AndUint64, atomic.OrUint64,
		}}),
		"Uintptr": operations(new(atomic.Uintptr)),
		"functions of uintptr": operations(&variable[uintptr]{functions: functions[uintptr]{
			atomic.LoadUintptr, atomic.StoreUintptr, atomic.SwapUintptr, atomic.CompareAndSwapUintptr, atomic.AddUintptr, atomic.AndUintptr, atomic.OrUintptr,
		}}),
		"Bool": {
			"atomic/load":  func() { b.Load() },
			"atomic/store": func() { b.Store(true) },
			"atomic/swap":  func() { b.Swap(true) },
			"atomic/cas":   func() { b.CompareAndSwap(true, false) },
		},
		"Pointer": {
			"atomic/load":  func() { p.Load() },
			"atomic/store": func() { p.Store(nil) },
			"atomic/swap":  func() { p.Swap(nil) },
			"atomic/cas":   func() { p.CompareAndSwap(nil, nil) },
		},
		"Value": {
			"atomic/load":  func() { v.Load() },
			"atomic/store": func() { v.Store(1) },
			"atomic/swap":  func() { v.Swap(1) },
			"atomic/cas":   func() { v.CompareAndSwap(1, 2) },
		},
		"functions of unsafe.Pointer": {
			"atomic/load":  func() { atomic.LoadPointer(&u) },
			"atomic/store": func() { atomic.StorePointer(&u, nil) },
			"atomic/swap":  func() { atomic.SwapPointer(&u, nil) },
			"atomic/cas":   func() { atomic.CompareAndSwapPointer(&u, nil, nil) },
		},
	}
	r := recorder.Install(t)
	passed := make(map[string]bool)
	for name, ops := range subjects {
		for point, op := range ops {
			r.Trace = nil
			op()
			if !slices.Equal(r.Trace, []string{point}) {
				t.Errorf("%s: the operation for %s passes %q", name, point, r.Trace)
			}
			passed[point] = true
		}
	}
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "atomic/") && !passed[p.Name] {
			t.Errorf("%s is declared, and no operation passes it", p.Name)
		}
	}
}

// The point is before the operation: what happens there happens to the operation.
func TestThePointIsBeforeTheOperation(t *testing.T) {
	r := recorder.Install(t)
	var x atomic.Int64
	meanwhile := func(v int64) {
		r.Next = func() { x.Store(v) }
	}
	meanwhile(5)
	if got := x.Load(); got != 5 {
		t.Errorf("Load: %d, want what was stored at its point", got)
	}
	meanwhile(6)
	if got := x.Swap(7); got != 6 {
		t.Errorf("Swap: %d, want what was stored at its point", got)
	}
	meanwhile(8)
	if x.CompareAndSwap(7, 9) {
		t.Error("CompareAndSwap swapped, though the value was changed at its point")
	}
	meanwhile(10)
	if got := x.Add(1); got != 11 {
		t.Errorf("Add: %d, want one more than what was stored at its point", got)
	}
	meanwhile(12)
	if got := x.And(4); got != 12 {
		t.Errorf("And: %d, want what was stored at its point", got)
	}
	meanwhile(3)
	if got := x.Or(4); got != 3 {
		t.Errorf("Or: %d, want what was stored at its point", got)
	}
	meanwhile(1)
	x.Store(2)
	if got := x.Load(); got != 2 {
		t.Errorf("Store: %d is left, want 2", got)
	}
}

// The same for all the stores, which return nothing to see it by.
func TestThePointIsBeforeTheStore(t *testing.T) {
	r := recorder.Install(t)
	var b atomic.Bool
	var p atomic.Pointer[int]
	var v atomic.Value
	var u unsafe.Pointer
	x := new(int)
	for name, store := range map[string]store{
		"Int32":        storing(new(atomic.Int32)),
		"StoreInt32":   storing(&variable[int32]{functions: functions[int32]{load: atomic.LoadInt32, store: atomic.StoreInt32}}),
		"Int64":        storing(new(atomic.Int64)),
		"StoreInt64":   storing(&variable[int64]{functions: functions[int64]{load: atomic.LoadInt64, store: atomic.StoreInt64}}),
		"Uint32":       storing(new(atomic.Uint32)),
		"StoreUint32":  storing(&variable[uint32]{functions: functions[uint32]{load: atomic.LoadUint32, store: atomic.StoreUint32}}),
		"Uint64":       storing(new(atomic.Uint64)),
		"StoreUint64":  storing(&variable[uint64]{functions: functions[uint64]{load: atomic.LoadUint64, store: atomic.StoreUint64}}),
		"Uintptr":      storing(new(atomic.Uintptr)),
		"StoreUintptr": storing(&variable[uintptr]{functions: functions[uintptr]{load: atomic.LoadUintptr, store: atomic.StoreUintptr}}),
		"Bool":         {func() { b.Store(true) }, b.Load},
		"Pointer":      {func() { p.Store(x) }, func() bool { return p.Load() == x }},
		"Value":        {func() { v.Store(1) }, func() bool { return v.Load() == 1 }},
		"StorePointer": {func() { atomic.StorePointer(&u, unsafe.Pointer(x)) }, func() bool { return u == unsafe.Pointer(x) }},
	} {
		looked := false
		r.Next = func() {
			looked = true
			if store.done() {
				t.Errorf("%s: stored already at the point", name)
			}
		}
		store.do()
		if !looked || !store.done() {
			t.Errorf("%s: the point was passed: %t, the value stored: %t", name, looked, store.done())
		}
	}
}

type store struct {
	do   func()
	done func() bool
}

func storing[T int32 | int64 | uint32 | uint64 | uintptr](x methods[T]) store {
	return store{func() { x.Store(1) }, func() bool { return x.Load() == 1 }}
}
