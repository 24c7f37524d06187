package driver

import (
	"internal/rouse"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"internal/rouse/chaos/goroot/wire"
)

// listed are the variables that stress test has listed; nil if they are not known.
var listed = sync.OnceValue(func() *runtime.RousePackageVariables {
	list, err := os.ReadFile(setup.Variables)
	if err != nil {
		return nil
	}
	found := wire.DecodePackageVariables(list, uint64(uintptr(unsafe.Pointer(&rouse.On))))
	if found == nil {
		return nil
	}
	extents := func(of []wire.Extent) (all []runtime.RouseExtent) {
		for _, e := range of {
			all = append(all, runtime.RouseExtent{At: uintptr(e.At), Size: uintptr(e.Size)})
		}
		return all
	}
	return &runtime.RousePackageVariables{Named: extents(found.Named), Unnamed: extents(found.Unnamed)}
})

// variables returns a hash of what the variables hold, of so many words, and of the environment and the working directory.
// complete is false if that is not all, or not known.
func variables(most int) (hash uint64, complete bool) {
	v := listed()
	if v == nil {
		return 0, false
	}
	hash, complete = v.Hash(most)
	dir, _ := syscall.Getwd()
	for _, text := range append(syscall.Environ(), dir) {
		for _, c := range []byte(text) {
			hash = (hash ^ uint64(c)) * 0x100000001b3 // FNV-1a
		}
	}
	return hash, complete
}
