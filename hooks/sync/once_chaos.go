//go:build chaos

package sync

import (
	"sync"

	"github.com/rouse-go/rouse/hooks"
)

// Once is [sync.Once] with points around the election and the call.
type Once sync.Once

// Do passes sync/once-do; calls f if it is the first, which passes sync/once-run
// and then begins; and passes sync/once-done, unless f panics.
func (o *Once) Do(f func()) {
	hooks.At(onceDo)
	(*sync.Once)(o).Do(func() {
		hooks.At(onceRun)
		f()
	})
	hooks.At(onceDone)
}

// OnceFunc is [sync.OnceFunc] with the points of [Once.Do].
func OnceFunc(f func()) func() {
	once := sync.OnceFunc(func() {
		hooks.At(onceRun)
		f()
	})
	return func() {
		hooks.At(onceDo)
		once()
		hooks.At(onceDone)
	}
}

// OnceValue is [sync.OnceValue] with the points of [Once.Do].
func OnceValue[T any](f func() T) func() T {
	once := sync.OnceValue(func() T {
		hooks.At(onceRun)
		return f()
	})
	return func() T {
		hooks.At(onceDo)
		v := once()
		hooks.At(onceDone)
		return v
	}
}

// OnceValues is [sync.OnceValues] with the points of [Once.Do].
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	once := sync.OnceValues(func() (T1, T2) {
		hooks.At(onceRun)
		return f()
	})
	return func() (T1, T2) {
		hooks.At(onceDo)
		v1, v2 := once()
		hooks.At(onceDone)
		return v1, v2
	}
}
