//go:build go1.26

package runtime

import "unsafe"

const rouseTraced = true // a g knows the sudog of the semaphore it waits for

func rouseSudogChan(s *sudog) *hchan         { return s.c.get() }
func rouseSudogElem(s *sudog) unsafe.Pointer { return s.elem.get() }
