package atomic_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/hooks/atomic"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// That the API is complete, that go vet reports copies and that a normal binary
// holds nothing of this package is tested in hooks/sync, for all drop-ins.

// methods is what the integer types have in common.
type methods[T any] interface {
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
	Add(T) T
	And(T) T
	Or(T) T
}

// functions are the functions for one integer type.
type functions[T any] struct {
	load  func(*T) T
	store func(*T, T)
	swap  func(*T, T) T
	cas   func(p *T, old, new T) bool
	add   func(*T, T) T
	and   func(*T, T) T
	or    func(*T, T) T
}

// A variable is an integer with the functions bound to it: functions and methods
// have to do the same.
type variable[T any] struct {
	v T
	functions[T]
}

func (x *variable[T]) Load() T                        { return x.load(&x.v) }
func (x *variable[T]) Store(v T)                      { x.store(&x.v, v) }
func (x *variable[T]) Swap(v T) T                     { return x.swap(&x.v, v) }
func (x *variable[T]) CompareAndSwap(old, new T) bool { return x.cas(&x.v, old, new) }
func (x *variable[T]) Add(v T) T                      { return x.add(&x.v, v) }
func (x *variable[T]) And(v T) T                      { return x.and(&x.v, v) }
func (x *variable[T]) Or(v T) T                       { return x.or(&x.v, v) }

// check runs x, which is zero, through all its operations. wide is a value that
// needs the full width of T.
func check[T int32 | int64 | uint32 | uint64 | uintptr](t *testing.T, name string, x methods[T], wide T) {
	t.Helper()
	is := func(what string, got, want T) {
		t.Helper()
		if got != want {
			t.Errorf("%s.%s: %d, want %d", name, what, got, want)
		}
	}
	is("Load of the zero value", x.Load(), 0)
	x.Store(wide)
	is("Load", x.Load(), wide)
	is("Swap", x.Swap(12), wide)
	if x.CompareAndSwap(wide, 1) {
		t.Errorf("%s.CompareAndSwap swapped, though the old value is another", name)
	}
	for v := T(12); v < 112; v++ { // strong: never fails with the right value
		if !x.CompareAndSwap(v, v+1) {
			t.Fatalf("%s.CompareAndSwap did not swap", name)
		}
	}
	is("Swap", x.Swap(12), 112)
	is("Add", x.Add(3), 15)
	is("Add, backwards", x.Add(^T(0)), 14)
	is("And", x.And(6), 14)
	is("Or", x.Or(9), 6)
	is("Load", x.Load(), 15)
}

func TestIntegers(t *testing.T) {
	check(t, "Int32", new(atomic.Int32), -1<<31)
	check(t, "functions of int32", &variable[int32]{functions: functions[int32]{
		atomic.LoadInt32, atomic.StoreInt32, atomic.SwapInt32, atomic.CompareAndSwapInt32, atomic.AddInt32, atomic.AndInt32, atomic.OrInt32,
	}}, -1<<31)
	check(t, "Int64", new(atomic.Int64), -1<<63)
	check(t, "functions of int64", &variable[int64]{functions: functions[int64]{
		atomic.LoadInt64, atomic.StoreInt64, atomic.SwapInt64, atomic.CompareAndSwapInt64, atomic.AddInt64, atomic.AndInt64, atomic.OrInt64,
	}}, -1<<63)
	check(t, "Uint32", new(atomic.Uint32), 1<<32-1)
	check(t, "functions of uint32", &variable[uint32]{functions: functions[uint32]{
		atomic.LoadUint32, atomic.StoreUint32, atomic.SwapUint32, atomic.CompareAndSwapUint32, atomic.AddUint32, atomic.AndUint32, atomic.OrUint32,
	}}, 1<<32-1)
	check(t, "Uint64", new(atomic.Uint64), 1<<64-1)
	check(t, "functions of uint64", &variable[uint64]{functions: functions[uint64]{
		atomic.LoadUint64, atomic.StoreUint64, atomic.SwapUint64, atomic.CompareAndSwapUint64, atomic.AddUint64, atomic.AndUint64, atomic.OrUint64,
	}}, 1<<64-1)
	check(t, "Uintptr", new(atomic.Uintptr), ^uintptr(0))
	check(t, "functions of uintptr", &variable[uintptr]{functions: functions[uintptr]{
		atomic.LoadUintptr, atomic.StoreUintptr, atomic.SwapUintptr, atomic.CompareAndSwapUintptr, atomic.AddUintptr, atomic.AndUintptr, atomic.OrUintptr,
	}}, ^uintptr(0))
}

// The 64-bit types are aligned in any struct, on 32-bit platforms too, or their
// operations would panic there. These do not compile if they are not.
type unaligned struct {
	_ bool
	i atomic.Int64
	_ bool
	u atomic.Uint64
}

var (
	_ [0]byte = [unsafe.Offsetof(unaligned{}.i) % 8]byte{}
	_ [0]byte = [unsafe.Offsetof(unaligned{}.u) % 8]byte{}
)

func TestBool(t *testing.T) {
	var b atomic.Bool
	if b.Load() {
		t.Error("the zero value is true")
	}
	b.Store(true)
	if !b.Load() || !b.Swap(false) || b.Load() {
		t.Error("Store(true), Swap(false): lost")
	}
	if b.CompareAndSwap(true, true) || !b.CompareAndSwap(false, true) || !b.Load() {
		t.Error("CompareAndSwap of false by true: lost, or swapped for nothing")
	}
}

// A type that holds an atomic pointer to itself is the usual one.
type node struct{ next atomic.Pointer[node] }

func TestPointer(t *testing.T) {
	var n, m node
	if n.next.Load() != nil {
		t.Error("the zero value is not nil")
	}
	n.next.Store(&m)
	if n.next.Load() != &m || n.next.Swap(&n) != &m || n.next.Load() != &n {
		t.Error("Store, Swap: lost")
	}
	if n.next.CompareAndSwap(&m, nil) || !n.next.CompareAndSwap(&n, &m) || n.next.Load() != &m {
		t.Error("CompareAndSwap: lost, or swapped for nothing")
	}
}

func TestUnsafePointer(t *testing.T) {
	x, y := new(int), new(int)
	var p unsafe.Pointer
	if atomic.LoadPointer(&p) != nil {
		t.Error("the zero value is not nil")
	}
	atomic.StorePointer(&p, unsafe.Pointer(x))
	if atomic.LoadPointer(&p) != unsafe.Pointer(x) || atomic.SwapPointer(&p, unsafe.Pointer(y)) != unsafe.Pointer(x) {
		t.Error("StorePointer, SwapPointer: lost")
	}
	if atomic.CompareAndSwapPointer(&p, unsafe.Pointer(x), nil) || !atomic.CompareAndSwapPointer(&p, unsafe.Pointer(y), unsafe.Pointer(x)) || p != unsafe.Pointer(x) {
		t.Error("CompareAndSwapPointer: lost, or swapped for nothing")
	}
}

func TestValue(t *testing.T) {
	var v atomic.Value
	if v.Load() != nil {
		t.Error("the zero value holds something")
	}
	v.Store("a")
	if v.Load() != "a" || v.Swap("b") != "a" {
		t.Error("Store, Swap: lost")
	}
	if v.CompareAndSwap("a", "c") || !v.CompareAndSwap("b", "c") || v.Load() != "c" {
		t.Error("CompareAndSwap: lost, or swapped for nothing")
	}
	for what, f := range map[string]func(){
		"Store of nil":          func() { v.Store(nil) },
		"Store of another type": func() { v.Store(1) },
		"Swap by another type":  func() { v.Swap(1) },
		"CompareAndSwap by nil": func() { v.CompareAndSwap("c", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", what)
				}
			}()
			f()
		}()
	}
}

// Under -race: what is written before a Store is seen behind the Load that sees
// the Store, by the standard operations' own edges.
func TestAtomicsOrder(t *testing.T) {
	var data int
	var ready atomic.Bool
	done := make(chan bool)
	go func() {
		data = 1
		ready.Store(true)
		close(done)
	}()
	for !ready.Load() {
		runtime.Gosched()
	}
	if data != 1 {
		t.Errorf("data = %d, want 1", data)
	}
	<-done
}
