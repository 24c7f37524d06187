package goroutines

import (
	"iter"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// A Goroutine is one entry of a dump.
type Goroutine struct {
	ID uint64
	// State is the runtime's word for the goroutine's activity or wait: "chan receive".
	State string
	// Stack is the entry's text below the headline, innermost frame first.
	Stack string
}

// String returns the entry as in a dump, without the remarks in its headline.
func (g Goroutine) String() string {
	return "goroutine " + strconv.FormatUint(g.ID, 10) + " [" + g.State + "]:\n" + g.Stack
}

// Sizes of the buffer for a dump: the first, and the largest (tens of thousands of goroutines).
const (
	firstSize = 64 << 10
	largest   = 64 << 20
)

// Dump returns the runtime's dump of all goroutines, the caller first, and whether it is whole.
// It stops the world for about a microsecond for each goroutine.
func Dump() (text string, whole bool) { return stacks(firstSize, true) }

// Own returns the calling goroutine; its innermost frames are those of this package.
func Own() Goroutine {
	text, _ := stacks(4<<10, false)
	return Parse(text)[0]
}

func stacks(size int, all bool) (text string, whole bool) {
	for ; ; size *= 4 {
		buf := make([]byte, size)
		n := runtime.Stack(buf, all)
		if n < size || size >= largest {
			return string(buf[:n]), n < size
		}
	}
}

// Parse splits a dump into goroutines. An entry ends at an empty line; lines outside of one
// (registers, the reason of a crash) are skipped.
func Parse(text string) []Goroutine {
	var all []Goroutine
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		g, ok := parseHeadline(line)
		if !ok {
			continue
		}
		if !strings.HasPrefix(text, "\n") && text != "" {
			g.Stack, text, _ = strings.Cut(text, "\n\n")
			g.Stack = strings.TrimSuffix(g.Stack, "\n") + "\n"
		}
		all = append(all, g)
	}
	return all
}

// parseHeadline parses the output of runtime.goroutineheader:
//
//	goroutine 7 [chan receive, 2 minutes]:
//
// with the addresses of GOTRACEBACK=system before the brackets, and the labels of
// GODEBUG=tracebacklabels=1 in them, which may hold brackets.
func parseHeadline(line string) (g Goroutine, ok bool) {
	rest, is := strings.CutPrefix(line, "goroutine ")
	number, rest, _ := strings.Cut(rest, " ")
	_, rest, bracket := strings.Cut(rest, "[")
	brackets, ends := strings.CutSuffix(rest, "]:")
	id, err := strconv.ParseUint(number, 10, 64)
	return Goroutine{ID: id, State: stateOf(brackets)}, is && bracket && ends && err == nil
}

// stateOf returns the state in brackets such as "select (no cases), 2 minutes, locked to thread".
func stateOf(brackets string) string {
	state, _, _ := strings.Cut(brackets, " labels:{")
	state, _, _ = strings.Cut(state, ", ")
	for before := ""; before != state; {
		before = state
		for _, remark := range []string{" (durable)", " (scan)", " (leaked)"} {
			state = strings.TrimSuffix(state, remark)
		}
	}
	return state
}

// A Frame is a call on a stack.
type Frame struct {
	Function string // "path/of/pkg.(*T).method"
	File     string // "/path/file.go:12"
}

// Place returns the last element of the file's path: "file.go:12".
func (f Frame) Place() string { return path.Base(f.File) }

// String returns "pkg.(*T).method (file.go:12)".
func (f Frame) String() string { return Short(f.Function) + " (" + f.Place() + ")" }

// Short returns a function without the path of its package: "pkg.(*T).method", or "yaml.v3.Marshal", as the linker
// writes a dot of the last element as %2e.
func Short(function string) string { return strings.ReplaceAll(path.Base(function), "%2e", ".") }

// createdBy begins the line below the outermost frame.
const createdBy = "created by "

// Frames yields the stack's frames, innermost first.
func (g Goroutine) Frames() iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		function := ""
		for line := range strings.Lines(g.Stack) {
			if strings.HasPrefix(line, "\t") {
				if function != "" && !yield(Frame{function, fileOf(line)}) {
					return
				}
				function = ""
			} else {
				function = functionOf(line)
			}
		}
	}
}

// functionOf returns the function in "pkg.(*T).m(0x1, ...)", and "" for a line that is no call.
func functionOf(line string) string {
	i := strings.LastIndexByte(line, '(')
	if i <= 0 || !strings.HasSuffix(line, ")\n") || strings.HasPrefix(line, createdBy) {
		return ""
	}
	return line[:i]
}

// fileOf returns the file and line in "\t/path/file.go:12 +0x1d fp=0x1 sp=0x2 pc=0x3"; what follows them
// may be missing, in part or all.
func fileOf(line string) string {
	file, _, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	file, _, _ = strings.Cut(file, " fp=0x")
	return file
}

// Creator returns the frame of the go statement that started the goroutine, and the number of the
// goroutine that executed it; zero if the runtime did.
func (g Goroutine) Creator() (by Frame, parent uint64) {
	i := strings.LastIndex(g.Stack, "\n"+createdBy)
	if i < 0 {
		return Frame{}, 0
	}
	line, at, _ := strings.Cut(g.Stack[i+1+len(createdBy):], "\n")
	function, number, _ := strings.Cut(line, " in goroutine ")
	parent, _ = strconv.ParseUint(number, 10, 64)
	return Frame{function, fileOf(at)}, parent
}

// Place returns the innermost frame of the program itself.
func (g Goroutine) Place() string {
	for f := range g.Frames() {
		if !f.ofSynchronisation() {
			return f.String()
		}
	}
	return "the runtime"
}

// OfLibrary reports whether the function belongs to the runtime, to the synchronisation of the standard
// library, to package testing, or to the drop-ins.
func (f Frame) OfLibrary() bool {
	return f.ofSynchronisation() || f.Function == "panic" || packageOf(f.Function) == "testing"
}

// Internal reports whether the function belongs to the runtime or to another internal package of the standard library.
// The path of a module of the user's may begin with internal, too, but it is hardly in a folder src/internal.
func (f Frame) Internal() bool {
	pkg := packageOf(f.Function)
	return (pkg == "runtime" || strings.HasPrefix(pkg, "internal/")) && (!path.IsAbs(f.File) || strings.HasSuffix(path.Dir(f.File), "/src/"+pkg))
}

// ofSynchronisation reports whether the function belongs to the synchronisation of the standard library,
// or to the drop-ins.
func (f Frame) ofSynchronisation() bool {
	pkg := packageOf(f.Function)
	switch pkg {
	case "context", "reflect", "runtime", "sync", "sync/atomic", "time":
		return true
	}
	const hooks = "github.com/rouse-go/rouse/hooks"
	return f.Internal() || pkg == hooks || strings.HasPrefix(pkg, hooks+"/")
}

// packageOf returns the import path in "path/of/pkg.(*T).m", or "path/of/pkg.(*T[other/path.X]).m".
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[")
	base := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[base:], ".")
	return function[:base] + name
}
