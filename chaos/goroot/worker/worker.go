package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// A Binary is the test binary that the worker is in.
type Binary struct {
	Package string   // the import path of the package under test
	Tests   []string // the names of the top-level tests that were selected
	// Execution prepares an execution of one of them. control has the functions by which a library
	// takes part in it: see package chaos.
	Execution func(test string, control map[string]any) Execution
	// Runtime runs the executions; nil means the drop-ins. Sources lists what the last one did that it
	// does not control, a line each; nil means nothing.
	Runtime control.Runtime
	Sources func() []string
	// Uncontrolled calls add with each kind of what Sources lists, and how often it happened; nil means
	// nothing.
	Uncontrolled func(add func(what string, times int))
	// Lack returns what the test has asked for in the last execution that control cannot give; nil means
	// nothing.
	Lack func() string
	// Variables returns a hash of what package-level variables hold, of at most most words. complete is false if that
	// is not all, or not known. With nil none are looked at.
	Variables func(most int) (hash uint64, complete bool)
	// Inputs returns what the process has asked for since the last call, as wire.ParseInputs reads it, and whether
	// some of all that it has asked for is lost. With nil it is not known.
	Inputs func() (names []byte, lost bool)
	// Native, if not nil, is for executions whose goroutines run in parallel, which are not controlled
	// then: it makes the process delay them by a seed, until it is called with 0.
	Native func(seed uint64)
	// Notes list what else the binary has, which no worker runs.
	Notes []string
}

// An Execution is one run of a test.
type Execution struct {
	// Run runs the test, as the body of an execution of the engine. Where goroutines run in parallel, it runs
	// it on a goroutine of its own, which the test may end, and waits for that.
	Run func()
	// End returns the outcome of the test, when the execution is over, whether Run has returned or
	// not. message is the first error that it logged.
	End func() (failed, skipped bool, message string)
	// Output returns what the test has logged.
	Output func() string
}

// A Worker serves requests.
type Worker struct {
	binary  Binary
	setup   wire.Setup
	answers *json.Encoder
	numbers io.WriterAt // for the number of the current execution

	// Ask sends a question to the strategy of an execution that runs alone, and returns what it chooses; a
	// negative number if the execution took another way than one before. A task calls it.
	Ask func(question []byte) int

	races   *races
	session *session
	failed  error // of writing an answer
	began   time.Time
	silent  int64 // since when, by the real clock
	making  atomic.Bool
	made    []string // temporary folders, by one goroutine at a time: see making
	steps   [wire.LostAt - wire.StepsAt]byte
}

// New returns a worker that writes its answers and, before each execution, its number.
func New(b Binary, setup wire.Setup, answers io.Writer, numbers io.WriterAt) *Worker {
	return &Worker{binary: b, setup: setup, answers: json.NewEncoder(answers), numbers: numbers, began: time.Now(), races: newRaces(setup.RaceLog)}
}

// Serve serves requests until they end. It returns an error if they cannot be read, or if an answer
// cannot be written.
func (w *Worker) Serve(requests io.Reader) error {
	defer w.endSession()
	in := json.NewDecoder(requests)
	for w.failed == nil {
		var r wire.Request
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			w.Lost()
			return fmt.Errorf("worker: a request: %w", err)
		}
		w.notYet()
		a := w.serve(r)
		if w.session != nil {
			a.Tainted = w.session.tainted
		}
		w.answer(a)
	}
	return w.failed
}

// serve returns the last answer to a request.
func (w *Worker) serve(r wire.Request) wire.Answer {
	if r.Do == wire.List {
		return wire.Answer{Kind: wire.Listed, Tests: w.binary.Tests, Notes: w.binary.Notes}
	}
	if !slices.Contains(w.binary.Tests, r.Test) {
		return refused("found no test %q in %s", r.Test, w.binary.Package)
	}
	switch {
	case w.binary.Native == nil:
	case r.Do == wire.Explore:
		return w.exploreNatively(r)
	default:
		return refused("an execution whose goroutines run in parallel cannot be repeated: it has a seed, but no schedule")
	}
	switch r.Do {
	case wire.Explore:
		return w.explore(r)
	case wire.Settle, wire.Replay, wire.Debug:
		return w.repeat(r)
	}
	return refused("found a request to %q, want one of another version of stress test", r.Do)
}

func refused(format string, args ...any) wire.Answer {
	return wire.Answer{Kind: wire.Refused, Reason: fmt.Sprintf(format, args...)}
}

func (w *Worker) answer(a wire.Answer) {
	a.Nonce = w.setup.Nonce
	if w.binary.Inputs != nil {
		names, lost := w.binary.Inputs()
		a.Inputs, a.InputsLost = wire.ParseInputs(names)
		a.InputsLost = a.InputsLost || lost
	}
	if err := w.answers.Encode(a); err != nil && w.failed == nil {
		w.Lost()
		w.failed = fmt.Errorf("worker: an answer: %w", err)
	}
}

// progressEvery is how long a worker is silent, at most, in real time.
const progressEvery = 200 * time.Millisecond

// progress reports the counts so far, from time to time.
func (w *Worker) progress(s *session) {
	if w.isDue() {
		w.answer(wire.Answer{Kind: wire.Progress, Counts: s.takeCounts()})
		w.notYet()
	}
}

// notYet starts the time until the next report of progress.
func (w *Worker) notYet() { w.silent = w.now() }

func (w *Worker) isDue() bool { return w.now()-w.silent > int64(progressEvery) }

// now returns the time of a real clock: package time's stands still in a worker that controls.
func (w *Worker) now() int64 {
	if r := w.binary.Runtime; r != nil {
		return r.Real()
	}
	return int64(time.Since(w.began))
}

// Lost tells stress test, if it is still there, that requests or answers do not arrive any more.
func (w *Worker) Lost() {
	w.numbers.WriteAt([]byte{1}, wire.LostAt) //nolint:errcheck // then the end of the process is not explained
}

// Made records a temporary folder of the execution, which stress test removes if the process is killed, or records
// that the folder is gone: another process may have one of that name then. A task calls it, or several goroutines.
//
//go:norace
func (w *Worker) Made(dir string, there bool) {
	for !w.making.CompareAndSwap(false, true) { // no task waits here: others are not in between
	}
	defer w.making.Store(false)
	if there {
		w.made = append(w.made, dir)
	} else if i := slices.Index(w.made, dir); i >= 0 {
		w.made = slices.Delete(w.made, i, i+1)
	}
	w.writeMade()
}

// writeMade writes the folders, as many as there is room for.
//
//go:norace
func (w *Worker) writeMade() {
	var list []byte
	for _, dir := range w.made {
		if wire.MadeAt+len(list)+len(dir)+2 <= wire.NumberSize {
			list = append(append(list, dir...), 0)
		}
	}
	w.numbers.WriteAt(append(list, 0), wire.MadeAt) //nolint:errcheck // best effort
}

// stepped reports that the execution goes on: one that takes long does not hang. A task calls it.
func (w *Worker) stepped() {
	binary.LittleEndian.PutUint64(w.steps[:], binary.LittleEndian.Uint64(w.steps[:])+1)
	w.numbers.WriteAt(w.steps[:], wire.StepsAt) //nolint:errcheck // as announce
}

// announce writes the number of the execution that begins.
func (w *Worker) announce(n int) {
	var number [8]byte
	binary.LittleEndian.PutUint64(number[:], uint64(n))
	w.numbers.WriteAt(number[:], 0) //nolint:errcheck // best effort: it matters only if the process dies
	if len(w.made) > 0 {
		w.made = nil
		w.writeMade()
	}
}

// Debug serves the only request of a worker that a debugger runs, which is in the folder wire.Setup.Debug,
// and prints the outcome.
func (w *Worker) Debug() error {
	file := filepath.Join(w.setup.Debug, wire.DebugRequest)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var r wire.Request
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	w.answers = json.NewEncoder(io.Discard)
	a := w.serve(r)
	if a.Kind == wire.Refused {
		return fmt.Errorf("%s: %s", r.Test, a.Reason)
	}
	defer w.endSession()
	fmt.Println(a.Failure.Report)
	if differs := a.Reason; differs != "" {
		fmt.Println("not as recorded: " + differs)
	} else {
		fmt.Println("as recorded, with an equal trace hash")
	}
	return nil
}

// patience returns control.Options.Patience: a person who thinks is slower than any execution.
func (w *Worker) patience() time.Duration {
	if w.setup.Debug != "" {
		return -1
	}
	return 0
}

// say prints a line without a lock: a task may have stopped while it holds that of the standard streams.
func say(line string) { print(line, "\n") }
