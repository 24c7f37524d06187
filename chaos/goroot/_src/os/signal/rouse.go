package signal

import _ "unsafe" // linkname

// rouseInside(1) begins, and rouseInside(-1) ends, what waits for the goroutines that deliver
// signals, which no execution controls: see the runtime.
//
//go:linkname rouseInside
func rouseInside(d int32)

// rouseGo is a go statement that makes no task: see the runtime.
//
//go:linkname rouseGo
func rouseGo(f func())
