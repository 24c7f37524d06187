package explain

import (
	"fmt"
	"strings"
	"testing"
)

// Catches: a frame that the text does not have, and one of the runtime.
func FuzzStackOf(f *testing.F) {
	f.Add("goroutine 1 [running]:\nruntime.gopanic({0x1})\n\t/go/src/runtime/panic.go:860 +0x1\nexample.com/m/q.(*Queue[...]).put(0x1, ...)\n\t/src/m/q/queue.go:12 +0x1\ncreated by main.main in goroutine 7\n\t/src/m/main.go:3 +0x1\n")
	f.Add("panic: x\n\ngoroutine 7 [select (no cases)]:\nm.f()\n\tC:/m/a.go:1\n")
	f.Add("goroutine 1 []:\n(\n()\n\t:\n")
	f.Add("goroutine 1 []:\nx()\n\ta:-1\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		for _, frame := range StackOf(text) {
			if !strings.Contains(text, frame.Function) || !strings.Contains(text, frame.File+":") || strings.ContainsAny(frame.Function+frame.File, "\n") || strings.HasPrefix(frame.Function, "runtime.") {
				t.Fatalf("%q has the frame %+v", text, frame)
			}
			if !strings.Contains(text, fmt.Sprint(abs(frame.Line))) && !strings.Contains(text, ":0") && !strings.Contains(text, "+") {
				t.Fatalf("%q has the line %d", text, frame.Line)
			}
		}
	})
}

func abs(n int) int { return max(n, -n) }
