package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// These tests hold in both builds.

// functions are the functions for X, which holds a T.
type functions[X, T any] struct {
	load  func(*X, memory.Order) T
	store func(*X, T, memory.Order)
	swap  func(*X, T, memory.Order) T
	cas   func(x *X, old, new T, success, failure memory.Order) bool

	// Of integers only.
	add, and, or func(*X, T, memory.Order) T
}

var (
	ofInt32 = functions[atomic.Int32, int32]{
		memory.LoadInt32, memory.StoreInt32, memory.SwapInt32, memory.CompareAndSwapInt32, memory.AddInt32, memory.AndInt32, memory.OrInt32,
	}
	ofInt64 = functions[atomic.Int64, int64]{
		memory.LoadInt64, memory.StoreInt64, memory.SwapInt64, memory.CompareAndSwapInt64, memory.AddInt64, memory.AndInt64, memory.OrInt64,
	}
	ofUint32 = functions[atomic.Uint32, uint32]{
		memory.LoadUint32, memory.StoreUint32, memory.SwapUint32, memory.CompareAndSwapUint32, memory.AddUint32, memory.AndUint32, memory.OrUint32,
	}
	ofUint64 = functions[atomic.Uint64, uint64]{
		memory.LoadUint64, memory.StoreUint64, memory.SwapUint64, memory.CompareAndSwapUint64, memory.AddUint64, memory.AndUint64, memory.OrUint64,
	}
	ofUintptr = functions[atomic.Uintptr, uintptr]{
		memory.LoadUintptr, memory.StoreUintptr, memory.SwapUintptr, memory.CompareAndSwapUintptr, memory.AddUintptr, memory.AndUintptr, memory.OrUintptr,
	}
	ofBool = functions[atomic.Bool, bool]{
		load: memory.LoadBool, store: memory.StoreBool, swap: memory.SwapBool, cas: memory.CompareAndSwapBool,
	}
	ofPointer = functions[atomic.Pointer[int], *int]{
		load: memory.LoadPointer[int], store: memory.StorePointer[int], swap: memory.SwapPointer[int], cas: memory.CompareAndSwapPointer[int],
	}
)

// check runs a new variable through the functions that every type has.
func check[X any, T comparable](t *testing.T, f functions[X, T], a, b T) {
	t.Helper()
	var zero T
	x := new(X)
	if got := f.load(x, memory.Relaxed); got != zero {
		t.Errorf("%T: the zero value is %v", x, got)
	}
	f.store(x, a, memory.Release)
	if got := f.load(x, memory.Acquire); got != a {
		t.Errorf("%T: loaded %v, stored %v", x, got, a)
	}
	if got := f.swap(x, b, memory.AcqRel); got != a {
		t.Errorf("%T: swapped %v, stored %v", x, got, a)
	}
	if f.cas(x, a, zero, memory.SeqCst, memory.SeqCst) {
		t.Errorf("%T: CompareAndSwap swapped, though the old value is another", x)
	}
	for range 100 { // strong: never fails with the right value
		if !f.cas(x, b, a, memory.Release, memory.Relaxed) || !f.cas(x, a, b, memory.Relaxed, memory.Acquire) {
			t.Fatalf("%T: CompareAndSwap did not swap", x)
		}
	}
	if got := f.load(x, memory.SeqCst); got != b {
		t.Errorf("%T: %v is left, want %v", x, got, b)
	}
}

// checkInteger runs it through those that only integers have, too. wide is a value
// that needs the full width of T.
func checkInteger[X any, T int32 | int64 | uint32 | uint64 | uintptr](t *testing.T, f functions[X, T], wide T) {
	t.Helper()
	check(t, f, wide, 12)
	x := new(X)
	is := func(what string, got, want T) {
		t.Helper()
		if got != want {
			t.Errorf("%s of %T: %d, want %d", what, x, got, want)
		}
	}
	f.store(x, 12, memory.SeqCst)
	is("Add", f.add(x, 3, memory.Relaxed), 15)
	is("Add, backwards", f.add(x, ^T(0), memory.Acquire), 14)
	is("And", f.and(x, 6, memory.Release), 14)
	is("Or", f.or(x, 9, memory.AcqRel), 6)
	is("Load", f.load(x, memory.Relaxed), 15)
}

func TestOperations(t *testing.T) {
	checkInteger(t, ofInt32, -1<<31)
	checkInteger(t, ofInt64, -1<<63)
	checkInteger(t, ofUint32, 1<<32-1)
	checkInteger(t, ofUint64, 1<<64-1)
	checkInteger(t, ofUintptr, ^uintptr(0))
	check(t, ofBool, true, false)
	check(t, ofPointer, new(int), new(int))
}

// The variable is the one of hooks/atomic: methods and functions can be mixed.
func TestMethodsSeeTheSame(t *testing.T) {
	var x atomic.Uint64
	memory.StoreUint64(&x, 5, memory.Release)
	x.Add(1)
	if got := memory.LoadUint64(&x, memory.Relaxed); got != 6 {
		t.Errorf("%d, want 6", got)
	}
}

func TestOrderString(t *testing.T) {
	for o, want := range map[memory.Order]string{
		memory.Relaxed: "Relaxed", memory.Acquire: "Acquire", memory.Release: "Release",
		memory.AcqRel: "AcqRel", memory.SeqCst: "SeqCst", 5: "Order(5)",
	} {
		if got := fmt.Sprint(o); got != want {
			t.Errorf("%d is %s, want %s", uint8(o), got, want)
		}
	}
}

// calls are all functions that take an order, by name; cas is given it for success.
func calls() map[string]func(memory.Order) {
	all := make(map[string]func(memory.Order))
	add(all, "Int32", ofInt32)
	add(all, "Int64", ofInt64)
	add(all, "Uint32", ofUint32)
	add(all, "Uint64", ofUint64)
	add(all, "Uintptr", ofUintptr)
	add(all, "Bool", ofBool)
	add(all, "Pointer", ofPointer)
	all["Fence"] = memory.Fence
	return all
}

func add[X, T any](all map[string]func(memory.Order), name string, f functions[X, T]) {
	var zero T
	x := new(X)
	all["Load"+name] = func(o memory.Order) { f.load(x, o) }
	all["Store"+name] = func(o memory.Order) { f.store(x, zero, o) }
	all["Swap"+name] = func(o memory.Order) { f.swap(x, zero, o) }
	all["CompareAndSwap"+name] = func(o memory.Order) { f.cas(x, zero, zero, o, memory.Relaxed) }
	all["CompareAndSwap"+name+", failure"] = func(o memory.Order) { f.cas(x, zero, zero, memory.SeqCst, o) }
	if f.add == nil {
		return
	}
	all["Add"+name] = func(o memory.Order) { f.add(x, zero, o) }
	all["And"+name] = func(o memory.Order) { f.and(x, zero, o) }
	all["Or"+name] = func(o memory.Order) { f.or(x, zero, o) }
}

// kinds are what a name of a function begins with, the orders that are wrong
// there, and what is said of them. What is not here takes any order.
var kinds = []struct {
	prefix string
	wrong  []memory.Order
	why    string
}{
	{"Load", []memory.Order{memory.Release, memory.AcqRel}, "a load has nothing to release; right would be Relaxed, Acquire or SeqCst"},
	{"Store", []memory.Order{memory.Acquire, memory.AcqRel}, "a store has nothing to acquire; right would be Relaxed, Release or SeqCst"},
	{"Fence", []memory.Order{memory.Relaxed}, "it would order nothing; right would be Acquire, Release, AcqRel or SeqCst"},
}

// What an order that makes no sense leads to: in the chaos build, to a panic that
// says why and what would be right; in the normal build, to nothing.
func TestWrongOrders(t *testing.T) {
	for name, call := range calls() {
		function, failure := strings.CutSuffix(name, ", failure")
		for o := memory.Relaxed; o <= memory.SeqCst+1; o++ {
			want := ""
			for _, kind := range kinds {
				for _, wrong := range kind.wrong {
					if o == wrong && strings.HasPrefix(name, kind.prefix) {
						want = kind.why
					}
				}
			}
			if failure && (o == memory.Release || o == memory.AcqRel) {
				want = "if it does not swap it is a load, which has nothing to release; right would be Relaxed, Acquire or SeqCst"
			}
			if o > memory.SeqCst {
				want = "there is no such order; right would be "
			}
			if want != "" {
				want = "memory: " + function + " with " + o.String() + ": " + want
			}
			if !hooks.Enabled {
				want = ""
			}
			got := outcome(func() { call(o) })
			if o > memory.SeqCst && want != "" && strings.HasSuffix(got, " or SeqCst") {
				got = got[:min(len(got), len(want))]
			}
			if got != want {
				t.Errorf("%s, %v: panics with %q, want %q", name, o, got, want)
			}
		}
	}
}

// outcome returns what f panics with, or "".
func outcome(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = v.(string)
		}
	}()
	f()
	return ""
}
