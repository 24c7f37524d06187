// Package driver makes a worker of stress test of a test binary. Package testing/internal/testdeps
// imports it, and with it every test binary that was built with the overlay; unless stress test has
// started the process, it does nothing.
package driver

import (
	"encoding/json"
	"fmt"
	"internal/rouse"
	"os"
	"path/filepath"
	"runtime"

	"internal/rouse/chaos/goroot/wire"
	"internal/rouse/chaos/goroot/worker"
	"internal/rouse/group"
)

// setup is what stress test has put into the environment; nil if the process is no worker. The variable
// is gone before main, so that no process which the tests start takes itself for a worker.
var setup = takeSetup()

func takeSetup() *wire.Setup {
	text, ok := os.LookupEnv(wire.Variable)
	if !ok {
		return nil
	}
	os.Unsetenv(wire.Variable)
	s := new(wire.Setup)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		fail(fmt.Errorf("%s: %w", wire.Variable, err))
	}
	if s.Version != wire.Version {
		fail(fmt.Errorf("found version %d of stress test, want %d: the test binary is of another build", s.Version, wire.Version))
	}
	if s.Debug != "" {
		answerFile, numberFile = none, makeNumber(s.Debug)
		hold(s.Debug)
		return s
	}
	requestFile, answerFile, numberFile = keep(wire.RequestFile), keep(wire.AnswerFile), keep(wire.NumberFile)
	return s
}

// The files of the worker, which it has moved.
var requestFile, answerFile, numberFile int

// none is the number of no file.
const none = -1

func fail(err error) {
	fmt.Fprintf(os.Stderr, "rouse: %v\n", err)
	os.Exit(2)
}

// Worker reports whether stress test has started this process.
func Worker() bool { return setup != nil }

var served bool

// Serve serves requests until they end. pkg is the package under test, and tests are the names of those
// that were selected. execution prepares an execution of a test: the body of its first task, and what
// became of the test and what it has logged, which are read when the execution is over. control is
// what T.RouseControl returns in it. It takes standard types only, since package testing must not
// import this one.
//
// The caller must not be locked to its thread. A further call, as by a TestMain that runs the tests twice, returns at once.
func Serve(pkg string, tests, notes []string, execution func(test string, control map[string]any) (run func(), end func() (failed, skipped bool, message string), output func() string)) {
	if served {
		return
	}
	served = true
	runtime.RouseInputsBelow(setup.Root)
	tasks := group.New(setup.Start)
	binary := worker.Binary{
		Package: pkg, Tests: tests, Notes: notes, Runtime: tasks, Sources: sources, Uncontrolled: runtime.RouseCountSources, Lack: lack, Inputs: runtime.RouseTakeInputs,
		Execution: func(test string, control map[string]any) (x worker.Execution) {
			x.Run, x.End, x.Output = execution(test, control)
			return x
		},
	}
	if setup.Native {
		binary.Native = runtime.RouseNative
	} else if setup.Variables != "" {
		binary.Variables = variables
		tasks.Variables = listed()
	}
	w := worker.New(binary, *setup, os.NewFile(uintptr(answerFile), "answers"), numbers(os.NewFile(uintptr(numberFile), "number")))
	w.Ask = func(question []byte) int { return ask(w, question) }
	rouse.Made = func(dir string, there bool) {
		rouse.Quiet(1) // its atomics are points with -race
		if absolute, err := filepath.Abs(dir); err == nil {
			dir = absolute // TMPDIR may be relative
		}
		w.Made(dir, there)
		rouse.Quiet(-1)
	}
	if setup.Debug != "" {
		if err := w.Debug(); err != nil {
			fail(err)
		}
		return
	}
	protect(requestFile, answerFile)
	if err := w.Serve(os.NewFile(uintptr(requestFile), "requests")); err != nil {
		fail(err)
	}
}
