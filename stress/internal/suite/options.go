package suite

import (
	"context"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// What a run does by default.
const (
	DefaultExecutions = 1000
	DefaultStrategy   = "portfolio"
	DefaultClock      = "mixed"
	racyClock         = "racy"
	// DefaultTimeout is how long a worker may make no progress. An execution under control takes
	// milliseconds.
	DefaultTimeout = time.Minute
	// DefaultOut is the folder for recordings of packages whose own folder cannot be written to.
	DefaultOut = "rouse-out"
)

// batchSize is how many executions a batch has. Strategies learn within a batch.
const batchSize = 128

// parallel is how many tests and subtests that call t.Parallel run at a time. The default of go test is
// GOMAXPROCS, on which findings must not depend.
const parallel = "8"

// Options of a run.
type Options struct {
	Packages []string // patterns, as the go command takes them; none is that of the current folder
	Build    Build
	Run      string   // selects tests, as -run of go test; "" is all
	Skip     string   // leaves tests out, as -skip of go test; "" is none
	Args     []string // for the test binaries

	// Settings are those of the workers; the size of batches and Start are set here.
	Settings wire.Settings
	Native   bool
	// Search bounds the search under control that follows a native failure; the zero value is no search. In a run
	// that is bounded by time, all searches together take a quarter of it at most.
	Search outcome.SearchBudget
	// Executions of each test, or the time for all tests. One of them is 0.
	Executions int
	For        time.Duration
	Procs      int           // workers at a time; 0 is the number of processors
	Timeout    time.Duration // how long a worker may make no progress; 0 is DefaultTimeout
	Memory     int64         // bytes that a worker may use; 0 is a share of the machine's, and below 0 is no limit
	Attempts   int           // of shrinking; 0 is what the worker has by default
	// Out is the folder for recordings; "" is testdata/chaos in the folder of each package, or where
	// that cannot be written to, DefaultOut.
	Out string
	// Command is how this program is called, word by word, for the commands that repeat a failure.
	Command []string
	// MayLeak are tests that leave goroutines behind: Settings.Leaks does not apply to them.
	MayLeak []string
	// UncontrolledFails: a run with a test that is uncontrolled has failed, and one with a package whose TestMain
	// does not run the tests.
	UncontrolledFails bool
	// Unrecorded failures are repeated, but not shrunk, explained or recorded.
	Unrecorded bool
	// Timelines: failures have theirs when observers are notified of them.
	Timelines bool
	// Against names an execution that passes, by which a Repeater explains the failure: see
	// internal/explore.Search.Passing. "" is the nearest one.
	Against string
	// FirstFailure ends the run when a test has failed, or an execution does not end.
	FirstFailure bool
	// Overlay, if not nil, is used instead of one that is made.
	Overlay *goroot.Overlay
	// Temporary is the folder for temporary files; "" is that of the system.
	Temporary string
	Observers []report.TestObserver
	// Doing, if not nil, is called with what is done that takes a while and is no test.
	Doing func(what string)

	guard *process.Guard // ends what workers have started; nil guards nothing

	dir string   // in which the go command runs; "" is the current folder
	env []string // of the tests, after the environment of this process

	// What tests of this package replace; the self-test does listed and build.
	grace       time.Duration // for a worker to end by itself; 0 is graceTime
	longest     int           // bytes of an answer; 0 is longestAnswer
	shrinks     time.Duration // how long a failure is shrunk; 0 follows from For
	makeOverlay func(context.Context, goroot.Options) (*goroot.Overlay, error)
	listed      func(context.Context) ([]*listed, error)
	build       func(ctx context.Context, p *listed) (binary, problem string, err error)
}

// complete fills in the defaults.
func (o *Options) complete() {
	if o.Procs == 0 {
		o.Procs = runtime.NumCPU()
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Memory == 0 {
		o.Memory = process.Share(o.Procs)
	}
	if o.grace == 0 {
		o.grace = graceTime
	}
	if o.makeOverlay == nil {
		o.makeOverlay = goroot.Make
	}
	if o.Overlay != nil {
		o.makeOverlay = func(context.Context, goroot.Options) (*goroot.Overlay, error) { return o.Overlay, nil }
	}
	if o.Settings.Strategy == "" {
		o.Settings.Strategy = DefaultStrategy
	}
	if o.Settings.Clock == "" {
		o.Settings.Clock = DefaultClock
	}
	if o.Executions == 0 && o.For == 0 {
		o.Executions = DefaultExecutions
	}
	o.Settings.Batch, o.Settings.Short = batchSize, o.Build.Short
	if o.Doing == nil {
		o.Doing = func(string) {}
	}
}
