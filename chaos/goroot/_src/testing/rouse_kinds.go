package testing

import (
	"context"
	"fmt"
	"internal/rouse"
	"io"
	"os"
	"slices"
	"strings"
)

// A rouseTest is what one execution runs: a test, the seeds of a fuzz test, or an example.
type rouseTest interface {
	rouseRun(x *rouseExecution, root *T)
}

// selected lists what the flags select, in the order of go test. A name that the external test package
// has as well gets a number there.
func (r *rouseRunner) selected() (names []string) {
	add := func(name string, test rouseTest) {
		if _, ok, _ := r.match.fullName(nil, name); !ok {
			return
		}
		if r.tests[name] != nil {
			name += "#01" // recording.SecondTest
		}
		names = append(names, name)
		r.tests[name] = test
	}
	for _, test := range r.m.tests {
		add(test.Name, test)
	}
	for _, fuzz := range r.m.fuzzTargets {
		add(fuzz.Name, fuzz)
	}
	for _, example := range r.m.examples {
		add(example.Name, example)
	}
	return names
}

// common is what a top-level test begins with. Its parent does not wait for it.
func (x *rouseExecution) common(name string, root *T) common {
	ctx, cancelCtx := context.WithCancel(context.Background())
	return common{
		barrier: make(chan bool), signal: make(chan bool, 2), // Parallel sends as well
		name: name, parent: &root.common, level: 1, ctx: ctx, cancelCtx: cancelCtx,
	}
}

// rouseRun runs the test as T.Run does. There is no task that waits for it: what the root does when the
// test calls Parallel, rouseParallels does.
func (test InternalTest) rouseRun(x *rouseExecution, root *T) {
	t := &T{common: x.common(test.Name, root), tstate: root.tstate}
	t.modulePath, t.importPath = x.runner.m.deps.ModulePath(), x.runner.m.deps.ImportPath()
	t.w = indenter{&t.common}
	t.setOutputWriter()
	running.Store(test.Name, highPrecisionTimeNow())
	rouseBegun(&t.common)
	tRunner(t, test.F)
}

// rouseRun runs the fuzz test as runFuzzTests does: with its seeds only.
func (fuzz InternalFuzzTarget) rouseRun(x *rouseExecution, root *T) {
	f := &F{common: x.common(fuzz.Name, root), tstate: root.tstate, fstate: &fuzzState{deps: x.runner.m.deps, mode: seedCorpusOnly}}
	f.w = indenter{&f.common}
	f.setOutputWriter()
	rouseBegun(&f.common)
	fRunner(f, fuzz.Fn)
}

// rouseRun runs the example as runExample does.
func (example InternalExample) rouseRun(x *rouseExecution, _ *T) {
	returned := false
	defer func() {
		os.Stdout = x.runner.stdout
		rouse.Quiet(1)
		printed, err := x.stdout.read()
		x.stdout.close()
		rouse.Quiet(-1)
		summary, text := "", ""
		switch {
		case err != nil:
			summary = fmt.Sprintf("standard output cannot be captured: %v", err)
		case !returned: // a panic has a verdict of its own
			summary = "the example called runtime.Goexit"
		default:
			summary, text = example.rouseDiffers(printed)
		}
		if summary != "" {
			fmt.Fprintf((*rouseOutput)(x), "--- FAIL: %s (0.00s)\n%s", example.Name, text)
			x.fail(summary)
		}
	}()
	if x.stdout.err == nil {
		os.Stdout = x.stdout.w
	}
	example.F()
	returned = true
}

// rouseDiffers compares what the example has printed as processRunResult does. summary is "" if it is as
// it should be.
func (example InternalExample) rouseDiffers(printed string) (summary, text string) {
	got, want, order := strings.TrimSpace(printed), strings.TrimSpace(example.Output), ""
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	if example.Unordered {
		order = " (unordered)"
		slices.Sort(gotLines)
		slices.Sort(wantLines)
	}
	if slices.Equal(gotLines, wantLines) {
		return "", ""
	}
	line := 0
	for line < min(len(gotLines), len(wantLines)) && gotLines[line] == wantLines[line] {
		line++
	}
	at := func(lines []string) string {
		if line < len(lines) {
			return fmt.Sprintf("%q", lines[line])
		}
		return "nothing more"
	}
	summary = fmt.Sprintf("line %d of the output%s is %s, want %s", line+1, order, at(gotLines), at(wantLines))
	return summary, fmt.Sprintf("got:\n%s\nwant%s:\n%s\n", got, order, want)
}

// A rouseStdout is the file that is os.Stdout while an example runs: the pipe of go test needs a
// goroutine that reads it, which would be outside of control.
type rouseStdout struct {
	w, r *os.File
	err  error
}

// open makes the file, which has no name.
func (s *rouseStdout) open() {
	if s.w, s.err = os.CreateTemp("", "stdout"); s.err != nil {
		return
	}
	s.r, s.err = os.Open(s.w.Name())
	os.Remove(s.w.Name())
}

// read returns what the file has.
func (s *rouseStdout) read() (string, error) {
	if s.err != nil {
		return "", s.err
	}
	text, err := io.ReadAll(s.r)
	return string(text), err
}

func (s *rouseStdout) close() {
	for _, file := range []*os.File{s.w, s.r} {
		if file != nil {
			file.Close()
		}
	}
}
