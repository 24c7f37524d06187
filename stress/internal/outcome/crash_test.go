package outcome

import (
	"slices"
	"testing"
)

const samplePanic = `some output of the subject
panic: index out of range [recovered]
	panic: again

goroutine 7 [running]:
runtime.gopanic(0x1)
	/go/src/runtime/panic.go:860 +0x13
example.com/m.(*Deque[...]).pop(0xc000012345)
	/src/m/deque.go:41 +0x1d
main.main()
	/src/m/main.go:9 +0x20

goroutine 8 [select]:
example.com/m.other()
	/src/m/other.go:1 +0x1
`

func TestPanicOf(t *testing.T) {
	_, got := PanicOf(samplePanic)
	want := []string{"at example.com/m.(*Deque[...]).pop (/src/m/deque.go:41)", "at main.main (/src/m/main.go:9)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
