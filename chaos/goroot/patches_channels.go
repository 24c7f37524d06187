package goroot

// Operations on channels, and select.
var channels = []Patch{
	replace("runtime/chan.go", "func makechan(", "if b := getg().bubble; b != nil {", "if b := getg().bubble; b != nil && b.ctl == nil {", "channels of a group are ordinary"),
	begin("runtime/chan.go", "func chansend(", "rousePoint(rouseCommunicate(rouse.Send, block), uintptr(unsafe.Pointer(c)))", "a point"),
	begin("runtime/chan.go", "func chanrecv(", "rousePoint(rouseCommunicate(rouse.Recv, block), uintptr(unsafe.Pointer(c)))", "a point"),
	begin("runtime/chan.go", "func closechan(", "if rouse.On != 0 { rousePoint(rouse.Close, uintptr(unsafe.Pointer(c))); defer rouseAfter(rouse.Close, uintptr(unsafe.Pointer(c))) }", "a point, before and after"),
	after("runtime/chan.go", "func chansend1(", "chansend(c, elem, true, sys.GetCallerPC())", "rouseAfter(rouse.Send, uintptr(unsafe.Pointer(c)))", "a point after the operation"),
	replace("runtime/chan.go", "func selectnbsend(", "return chansend(c, elem, false, sys.GetCallerPC())", "return rouseTried(chansend(c, elem, false, sys.GetCallerPC()))", "a poll that got nothing has read only"),
	replace("runtime/chan.go", "func selectnbrecv(", "return chanrecv(c, elem, false)", "selected, received = chanrecv(c, elem, false); rouseTried(selected); return", "likewise"),
	after("runtime/select.go", "func selectgo(", "if !block {", "rouseFailed()", "likewise"),
	begin("runtime/select.go", "func selectgo(", "if rouse.On != 0 { rouseSelect(unsafe.Slice(cas0, nsends+nrecvs), nsends, block) }", "a point"),
	replace("runtime/select.go", "func selectgo(", "j := cheaprandn(uint32(norder + 1))", "j := norder; if !rouseIn() { j = int(cheaprandn(uint32(norder + 1))) }", "the order of the cases comes from the engine"),
	after("runtime/select.go", "func selectgo(", "pollorder = pollorder[:norder]", "if norder > 1 && rouseIn() { rouseOrder(scases, pollorder, nsends) }", "the engine chooses among the cases that are ready"),
}
