package runtime

import "unsafe"

//go:linkname rouseG internal/rouse/internal/self.G
func rouseG() uintptr { return uintptr(unsafe.Pointer(getg())) }
