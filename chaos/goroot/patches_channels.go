package goroot

// Operations on channels, and select.
var channels = []Patch{
	replace("runtime/chan.go", "func makechan(", "if b := getg().bubble; b != nil {", "if b := getg().bubble; b != nil && b.ctl == nil {", "channels of a group are ordinary"),
	begin("runtime/chan.go", "func chansend(", "rousePoint(rouse.Send, uintptr(unsafe.Pointer(c)))", "a point"),
	begin("runtime/chan.go", "func chanrecv(", "rousePoint(rouse.Recv, uintptr(unsafe.Pointer(c)))", "a point"),
	begin("runtime/chan.go", "func closechan(", "rousePoint(rouse.Close, uintptr(unsafe.Pointer(c)))", "a point"),
	begin("runtime/select.go", "func selectgo(", "rousePoint(rouse.Select, uintptr(unsafe.Pointer(cas0)))", "a point"),
	replace("runtime/select.go", "func selectgo(", "j := cheaprandn(uint32(norder + 1))", "j := norder; if !rouseIn() { j = int(cheaprandn(uint32(norder + 1))) }", "the order of the cases comes from the engine"),
	after("runtime/select.go", "func selectgo(", "pollorder = pollorder[:norder]", "if norder > 1 && rouseIn() { rouseOrder(scases, pollorder, nsends) }", "the engine chooses among the cases that are ready"),
}
