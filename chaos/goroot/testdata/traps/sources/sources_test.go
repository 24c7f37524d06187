// Package sources does what control does not reach, and says so.
package sources

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// where returns the functions of the first stack of a source of the current execution.
func where(what string) (count int, stack string) {
	for _, s := range runtime.RouseSources() {
		if s.What != what {
			continue
		}
		frames := runtime.CallersFrames(s.Stacks[0])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			stack += f.Function + " "
		}
		return s.Count, stack
	}
	return 0, ""
}

func TestIteration(t *testing.T) {
	const what = "map iteration by addresses"
	m := map[any]int{}
	for i := range 8 {
		m[i] = i
	}
	for range m { // one group: in the order of insertion
	}
	if n, _ := where(what); n != 0 {
		t.Error("a small map is noted", n)
	}
	names := map[struct{ name string }]int{}
	for _, name := range strings.Fields("a b c d e f g h i j") {
		names[struct{ name string }{name}] = 1
	}
	for range names {
	}
	if n, _ := where(what); n != 0 {
		t.Error("names are noted", n)
	}
	m[8] = 8
	for range m {
	}
	if n, stack := where(what); n != 1 || !strings.Contains(stack, "sources.TestIteration") {
		t.Error(n, stack)
	}
	numbers := map[uintptr]bool{}
	for i := range uintptr(9) { // they may be addresses
		numbers[i] = true
	}
	for range numbers {
	}
	if n, _ := where(what); n != 2 {
		t.Error("numbers that may be addresses are not noted", n)
	}
}

func TestProcess(t *testing.T) {
	const what = "process id"
	if n, _ := where(what); n != 0 {
		t.Error("noted before it is read", n)
	}
	os.Getpid()
	if n, stack := where(what); n != 1 || !strings.Contains(stack, "sources.TestProcess") {
		t.Error(n, stack)
	}
	os.Getppid()
	if n, _ := where(what); n != 2 {
		t.Error("that of the parent is not noted", n)
	}
}

func TestSyscall(t *testing.T) {
	const what = "system call"
	before, _ := where(what)
	if _, err := os.ReadFile("sources_test.go"); err != nil {
		t.Fatal(err)
	}
	if n, stack := where(what); n <= before || before == 0 && !strings.Contains(stack, "sources.TestSyscall") {
		t.Error(n, stack)
	}
}

func TestMapping(t *testing.T) {
	const what = "shared mapping"
	for _, mode := range []int{syscall.MAP_PRIVATE, syscall.MAP_SHARED} {
		if n, _ := where(what); n != 0 {
			t.Error("noted before it is made", n)
		}
		b, err := syscall.Mmap(-1, 0, 1, syscall.PROT_READ, syscall.MAP_ANON|mode)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Munmap(b)
	}
	if n, stack := where(what); n != 1 || !strings.Contains(stack, "sources.TestMapping") {
		t.Error(n, stack)
	}
}

func TestCollection(t *testing.T) {
	const what = "garbage collection"
	if n, _ := where(what); n != 0 {
		t.Error("noted before it is asked for", n)
	}
	runtime.GC()
	if n, stack := where(what); n != 1 || !strings.Contains(stack, "sources.TestCollection") {
		t.Error(n, stack)
	}
}
