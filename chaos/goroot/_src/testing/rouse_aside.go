package testing

import (
	"internal/rouse"
	"unsafe"
)

// What the methods of a test do for several goroutines is no point, and yet its order may show: which of two subtests
// of one name is the first, which cleanup comes last. A search of all orders has to know that there is another one.
// What is only logged does not show, and a test that fails ends the search.

// rouseAsides stand for what the methods of a test use.
type rouseAsides struct {
	cleanups, dirs, skipped byte
	context                 bool // the test has been asked for its context
}

func (a *rouseAsides) cleans()  { rouse.Aside(rouse.Store, uintptr(unsafe.Pointer(&a.cleanups))) }
func (a *rouseAsides) numbers() { rouse.Aside(rouse.Store, uintptr(unsafe.Pointer(&a.dirs))) }
func (a *rouseAsides) skips()   { rouse.Aside(rouse.Store, uintptr(unsafe.Pointer(&a.skipped))) }
func (a *rouseAsides) looks()   { rouse.Aside(rouse.Load, uintptr(unsafe.Pointer(&a.skipped))) }

//go:norace
func (a *rouseAsides) asks() { a.context = true }

// cancel ends the test's context. The locks of that are no schedule of the test, but when it ends may show.
//
//go:norace
func (a *rouseAsides) cancel(cancel func()) {
	quiet := rouse.Quiet
	if a.context {
		quiet = rouse.QuietAside
	}
	quiet(1)
	cancel()
	quiet(-1)
}

// rouseNames is called with the name of a subtest, before a number is added to it. One that has a number is another
// one, unless a number would be added to the name before it.
func rouseNames(parent, name string) {
	if !rouse.Asides() {
		return
	}
	name = parent + "/" + name
	rouse.Aside(rouse.Store, rouseNumber(name))
	if prefix, _ := parseSubtestNumber(name); len(prefix) < len(name) {
		rouse.Aside(rouse.Load, rouseNumber(prefix))
	}
}

// rouseNumber returns a number for a name, which is no address.
func rouseNumber(name string) uintptr {
	h := uint64(14695981039346656037) // FNV-1a
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return uintptr(h | 1<<63)
}
