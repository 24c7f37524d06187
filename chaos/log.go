package chaos

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// An entry is what one call has logged.
type entry struct {
	text string
	next *entry
}

// A helper is a function that has called Helper.
type helper struct {
	pc   uintptr
	next *helper
}

// Name returns the name of the test.
func (c *C) Name() string { return c.name }

// Helper marks the calling function as a helper, which the places in the log leave out.
func (c *C) Helper() {
	var pc [1]uintptr
	if runtime.Callers(2, pc[:]) == 1 {
		c.addHelper(pc[0])
	}
}

// Log is Logf, with the formatting of fmt.Sprintln.
func (c *C) Log(args ...any) { c.write(fmt.Sprintln(args...)) }

// Logf adds a line to the log of this execution, with the task and the file and line of the
// caller. The report of a failure has the log of the execution that failed; the logs of
// others are dropped.
func (c *C) Logf(format string, args ...any) { c.write(fmt.Sprintf(format, args...)) }

// Error is Errorf, with the formatting of fmt.Sprintln.
func (c *C) Error(args ...any) { c.fail(c.write(fmt.Sprintln(args...))) }

// Errorf fails the execution with the verdict wrong-result, and logs the message. The
// first message is the summary of the verdict, on one line. The calling task continues, at
// most to its next operation.
func (c *C) Errorf(format string, args ...any) { c.fail(c.write(fmt.Sprintf(format, args...))) }

// Fatal is Error, and ends the calling task.
func (c *C) Fatal(args ...any) {
	c.fail(c.write(fmt.Sprintln(args...)))
	runtime.Goexit()
}

// Fatalf is Errorf, and ends the calling task.
func (c *C) Fatalf(format string, args ...any) {
	c.fail(c.write(fmt.Sprintf(format, args...)))
	runtime.Goexit()
}

// Fail fails the execution with the verdict wrong-result. The calling task continues, at
// most to its next operation.
func (c *C) Fail() { c.fail("C.Fail or C.FailNow was called at " + c.place()) }

// FailNow fails the execution and ends the calling task, as testing.T's does. The body's
// cleanups run. Unlike testing.T's, it may be called by any task: the execution ends with
// its next decision.
func (c *C) FailNow() {
	c.Fail()
	runtime.Goexit()
}

// Failed reports whether one of these methods has failed the execution.
//
//go:norace
func (c *C) Failed() bool {
	c.lock()
	defer c.unlock()
	return c.failed
}

// fail fails the execution; the first message counts.
func (c *C) fail(message string) {
	if strings.ContainsAny(message, "\r\n") {
		message = strings.Join(strings.Fields(message), " ")
	}
	c.setFailed(message)
	if c.engine != nil {
		c.engine.Fail(verdict.WrongResult, message)
	}
}

// write logs a text, and returns it without the last line break.
func (c *C) write(text string) string {
	text = strings.TrimRight(text, "\n")
	task := ""
	if c.engine != nil {
		if task = c.engine.Task(); task == "" {
			return text
		}
		task += " "
	}
	c.addEntry(&entry{text: fmt.Sprintf("    %sat %s: %s\n", task, c.place(), strings.ReplaceAll(text, "\n", "\n        "))})
	return text
}

// log returns what the execution has logged, with a headline; "" if it has logged nothing.
//
//go:norace
func (c *C) log() string {
	if c == nil || c.entries == nil {
		return ""
	}
	text := ""
	for e := c.entries; e != nil; e = e.next {
		text = e.text + text
	}
	return "log of this execution\n" + text
}

// place returns the file and line of the innermost caller that is neither a method of C nor a
// helper; if all are, of the innermost helper.
func (c *C) place() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	helpers := c.helperNames()
	first := ""
	for {
		f, more := frames.Next()
		at := filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
		switch {
		case strings.HasPrefix(f.Function, core.ModulePath+"chaos.(*C)."):
		case core.OfMachinery(f.Function): // beyond the task's function
			return first
		case !helpers[f.Function]:
			return at
		case first == "":
			first = at
		}
		if !more {
			return first
		}
	}
}

func (c *C) helperNames() map[string]bool {
	names := make(map[string]bool)
	for h := c.lastHelper(); h != nil; h = h.next {
		f, _ := runtime.CallersFrames([]uintptr{h.pc}).Next()
		names[f.Function] = true
	}
	return names
}

// What follows touches the fields under mu. go:norace goes with racing.Hide: the accesses
// would otherwise be reported.

//go:norace
func (c *C) lock() {
	racing.Hide()
	if j, ok := c.engine.(*joined); ok {
		j.quiet(1)
	}
	c.mu.Lock()
}

//go:norace
func (c *C) unlock() {
	c.mu.Unlock()
	if j, ok := c.engine.(*joined); ok {
		j.quiet(-1)
	}
	racing.Show()
}

//go:norace
func (c *C) addEntry(e *entry) {
	c.lock()
	e.next, c.entries = c.entries, e
	c.unlock()
}

//go:norace
func (c *C) addHelper(pc uintptr) {
	c.lock()
	defer c.unlock()
	for h := c.helpers; h != nil; h = h.next {
		if h.pc == pc {
			return
		}
	}
	c.helpers = &helper{pc, c.helpers}
}

//go:norace
func (c *C) lastHelper() *helper {
	c.lock()
	defer c.unlock()
	return c.helpers
}

//go:norace
func (c *C) setFailed(message string) {
	c.lock()
	if !c.failed {
		c.failed, c.message = true, message
	}
	c.unlock()
}

// register adds a cleanup, unless the last one has run.
//
//go:norace
func (c *C) register(f *cleanup) bool {
	c.lock()
	defer c.unlock()
	if c.ended {
		return false
	}
	f.next, c.cleanups = c.cleanups, f
	return true
}

// nextCleanup takes the cleanup that was registered last; nil if there is none.
//
//go:norace
func (c *C) nextCleanup() *cleanup {
	c.lock()
	defer c.unlock()
	next := c.cleanups
	if next == nil {
		c.ended = true
		return nil
	}
	c.cleanups = next.next
	return next
}
