package runtime

import _ "unsafe" // linkname

// An operation that must wait is tried; if it cannot be done, the task parks.
//
//go:linkname rouseAwait internal/rouse.Await
func rouseAwait(op uint8, obj uintptr, word *int32, busy int32) { rousePointExt(op, obj) }

// The group makes no difference between operations that have failed and others.
//
//go:linkname rouseFailed internal/rouse.Failed
func rouseFailed() {}

//go:linkname rouseAfter internal/rouse.After
func rouseAfter(op uint8, obj uintptr) { rousePointExt(op, obj) }
