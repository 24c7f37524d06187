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

// isOfTests reports whether the first panic is that of a line of a file of tests: a nil pointer, an index, a
// type. Such a line is a check of what the test was given, as t.Fatal would be.
func isOfTests(stack string) (is bool) {
	panicking := false
	for _, g := range goroutines.Parse(stack) {
		for f := range g.Frames() {
			if panicking && !strings.HasPrefix(f.Function, "runtime.") {
				file, _, _ := strings.Cut(f.Place(), ":")
				is, panicking = strings.HasSuffix(file, "_test.go"), false
			}
			panicking = panicking || f.Function == "panic"
		}
	}
	return is
}

// isOfLibrary reports whether the standard library panics with a text of its own, such as
// "sync: negative WaitGroup counter". Package testing is part of the test. The outermost panic is the first:
// the others pass it on.
func isOfLibrary(stack, text string) (is bool) {
	panicking := false
	for _, g := range goroutines.Parse(stack) {
		for f := range g.Frames() {
			if panicking {
				name, _, _ := strings.Cut(path.Base(f.Function), ".")
				rest, begins := strings.CutPrefix(text, name)
				is = f.OfLibrary() && name != "testing" && begins && rest != "" && strings.ContainsRune(":. ", rune(rest[0]))
			}
			panicking = f.Function == "panic"
		}
	}
	return is
}
