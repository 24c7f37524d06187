//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Once is [sync.Once] with points around the election and the call.
type Once sync.Once

// Do passes sync/once-do; calls f if it is the first, which passes sync/once-run
// and then begins; and passes sync/once-done, unless f panics.
func (o *Once) Do(f func()) {
	onceDo.At()
	once((*sync.Once)(o).Do, unsafe.Pointer(o), func() {
		onceRun.At()
		f()
	})
	seam.Published()
	onceDone.At()
}

// once calls do, which calls f if it is the first for x; under control, a later one waits until the
// first is done.
func once(do func(func()), x unsafe.Pointer, f func()) {
	c := seam.Controlled()
	if c == nil {
		do(f)
		return
	}
	if c.OnceEnter(onceDo, x) {
		defer c.OnceLeave(onceDone, x) // also if f panics: it was called
	}
	do(f)
}

// OnceFunc is [sync.OnceFunc] with the points of [Once.Do].
func OnceFunc(f func()) func() {
	x := new(byte)
	first := sync.OnceFunc(func() {
		onceRun.At()
		f()
	})
	return func() {
		onceDo.At()
		once(func(func()) { first() }, unsafe.Pointer(x), nil)
		seam.Published()
		onceDone.At()
	}
}

// OnceValue is [sync.OnceValue] with the points of [Once.Do].
func OnceValue[T any](f func() T) func() T {
	x := new(byte)
	first := sync.OnceValue(func() T {
		onceRun.At()
		return f()
	})
	return func() (v T) {
		onceDo.At()
		once(func(func()) { v = first() }, unsafe.Pointer(x), nil)
		seam.Published()
		onceDone.At()
		return v
	}
}

// OnceValues is [sync.OnceValues] with the points of [Once.Do].
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	x := new(byte)
	first := sync.OnceValues(func() (T1, T2) {
		onceRun.At()
		return f()
	})
	return func() (v1 T1, v2 T2) {
		onceDo.At()
		once(func(func()) { v1, v2 = first() }, unsafe.Pointer(x), nil)
		seam.Published()
		onceDone.At()
		return v1, v2
	}
}
