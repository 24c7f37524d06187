package runtime

import _ "unsafe" // linkname

// rouseLoud ends the quiet regions of the current task, which fails now: a panic that nobody
// recovers, or a fatal error.
func rouseLoud() {
	if t := getg().rouse; t != nil {
		t.quiet = 0
	}
}

// rouseOSExit ends the execution of a task that wants to end the process.
//
//go:linkname rouseOSExit os.rouseExit
func rouseOSExit(code int) {
	rouseLoud()
	var buf [20]byte
	sign := ""
	if code < 0 {
		sign, code = "-", -code
	}
	rouseFail("os.Exit("+sign+string(itoa(buf[:], uint64(code)))+")", true)
}
