package goroot

import "testing"

// Catches: a caller in the standard library that draws from the stream of a test, or sees its time; and a
// name of another function that is changed.
func TestRelinked(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"runtime/x.go", "func nanotime() int64 {\n\treturn nanotime1() + s.nanotime()\n}", "func rouseNanotime() int64 {\n\treturn nanotime1() + s.nanotime()\n}"},
		{"runtime/x.go", "x := cheaprandn(1<<2)+uint32(cheaprand64())&cheaprand()", "x := rouseCheaprandn(1<<2)+uint32(rouseCheaprand64())&rouseCheaprand()"},
		{"runtime/x.go", "// runtime·nanotime() is", "// runtime·rouseNanotime() is"},
		{"runtime/x.go", "//go:linkname procPin\nfunc sync_runtime_procPin() int { return procPin() }", "//go:linkname procPin\nfunc sync_runtime_procPin() int { return rouseProcPin() }"},
		{"runtime/x.go", "//go:linkname time_now time.now\nfunc time_now()", "//go:linkname time_now runtime.rouseTimeNow\nfunc time_now()"},
		{"runtime/x.s", "TEXT time·now<ABIInternal>(SB)\nTEXT runtime·cputicks(SB)", "TEXT runtime·rouseTimeNow<ABIInternal>(SB)\nTEXT runtime·rouseCputicks(SB)"},
		{"internal/poll/x.go", "//go:linkname runtimeNano runtime.nanotime\nnanotime()", "//go:linkname runtimeNano runtime.rouseNanotime\nnanotime()"},
		{"syscall/x.s", "TEXT ·gettimeofday(SB),NOSPLIT,$0-16", "TEXT ·rouseGettimeofday(SB),NOSPLIT,$0-16"},
		{"syscall/x.go", "\nfunc gettimeofday(tv)\ngettimeofday(x)", "\nfunc rouseGettimeofday(tv)\ngettimeofday(x)"},
		{"syscall/x.go", "// Why.\n//go:linkname gettimeofday\nfunc gettimeofday(tv)", "// Why.\n//\nfunc rouseGettimeofday(tv)"},
		{linkWrappers, "return nanotime()", "return nanotime()"},
	} {
		if got := relinked(test.name, test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
