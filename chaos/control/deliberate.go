package control

import (
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/internal/goroutines"
)

// exits begins the fatal error by which a Runtime reports a call of os.Exit.
const exits = "os.Exit("

// isDeliberate reports whether a panic, or a fatal error, is a decision of the subject's code, such as that of
// a function that waits no longer, or a file of tests has used what it did not get. The others are errors that
// the runtime or the standard library finds.
func isDeliberate(value any, fatal bool, stack string) bool {
	if fatal {
		text, _ := value.(string)
		return strings.HasPrefix(text, exits)
	}
	if err, ok := value.(error); ok {
		var found runtime.Error
		return !errors.As(err, &found) || !strings.HasSuffix(found.Error(), " channel") && isOfTests(stack)
	}
	return !isOfLibrary(stack, fmt.Sprint(value))
}

// isOfTests reports whether a line of a file of tests panics: a nil pointer, an index, a type. Such a line is a check
// of what the test was given, as t.Fatal would be.
func isOfTests(stack string) bool {
	for _, f := range panicking(stack) {
		if !strings.HasPrefix(f.Function, "runtime.") {
			file, _, _ := strings.Cut(f.Place(), ":")
			return strings.HasSuffix(file, "_test.go")
		}
	}
	return false
}

// isOfLibrary reports whether the standard library panics with a text of its own, such as
// "sync: negative WaitGroup counter". Package testing is part of the test.
func isOfLibrary(stack, text string) bool {
	frames := panicking(stack)
	if len(frames) == 0 {
		return false
	}
	name, _, _ := strings.Cut(path.Base(frames[0].Function), ".")
	rest, begins := strings.CutPrefix(text, name)
	return frames[0].OfLibrary() && name != "testing" && begins && rest != "" && strings.ContainsRune(":. ", rune(rest[0]))
}

// panicking returns the frames below the call of panic, innermost first. The outermost of several panics is the first:
// the others pass it on. A stack that begins with a call of panic does not show that: see showfuncinfo of the runtime.
func panicking(stack string) (frames []goroutines.Frame) {
	for _, g := range goroutines.Parse(stack) {
		for f := range g.Frames() {
			if f.Function == "panic" {
				frames = frames[:0]
			} else {
				frames = append(frames, f)
			}
		}
	}
	return frames
}
