package suite

import (
	"context"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// What a run does by default.
const (
	DefaultExecutions = 1000 // of a test at most: see session.limit and test.isSeen
	DefaultStrategy   = strategy.Recommended
	DefaultClock      = "mixed"
	racyClock         = "racy"
	// DefaultTimeout is how long a worker may make no progress. An execution under control takes
	// milliseconds.
	DefaultTimeout = time.Minute
	// DefaultOut is the folder for recordings of packages whose own folder cannot be written to.
	DefaultOut = "rouse-out"
)

// batchSize is the number of executions in a batch. Strategies learn within a batch.
const batchSize = 128

// parallel is how many tests and subtests that call t.Parallel run at a time. Findings must not depend on
// GOMAXPROCS, which is the default of go test.
const parallel = "8"

// Options of a run.
type Options struct {
	Packages []string // patterns of the go command; none is the package of the current folder
	Build    Build
	Run      string   // selects tests, like -run of go test; "" is all
	Skip     string   // excludes tests, like -skip of go test; "" is none
	Args     []string // for the test binaries

	// Since, if not "", is a commit: packages that have not changed since it are left out, with all that their tests
	// depend on.
	Since string

	// Settings are for the workers. Batch and Short are set by this package.
	Settings wire.Settings
	Native   bool
	// Search bounds the search under control that follows a native failure; the zero value is no search. In a run
	// that is bounded by time, all searches together take at most a quarter of the time.
	Search outcome.SearchBudget
	// Executions is the number for each test, exactly, and For the time for all tests. One of them is 0. If both are,
	// each test has DefaultExecutions at most, as far as they bring something new, in a time that a person waits for.
	Executions int
	For        time.Duration
	Procs      int           // workers at a time; 0 is the number of processors
	Timeout    time.Duration // how long a worker may make no progress; 0 is DefaultTimeout
	Memory     int64         // bytes that a worker may use; 0 is a share of the machine's memory, negative is no limit
	Attempts   int           // limit of attempts to shrink; 0 is the worker's default
	// Out is the folder for recordings; "" is testdata/chaos in the folder of each package, or DefaultOut
	// if that cannot be written to.
	Out string
	// Command holds the words that start this program, for the commands that repeat a failure.
	Command []string
	// MayLeak lists tests that leave goroutines behind: Settings.Leaks does not apply to them.
	MayLeak []string
	// UncontrolledFails makes a run fail that has an uncontrolled test, or a package whose TestMain does not run the
	// tests.
	UncontrolledFails bool
	// Unrecorded means that failures are repeated, but not shrunk, explained or recorded.
	Unrecorded bool
	// Timelines means that failures have their timelines when observers are notified.
	Timelines bool
	// Against names a passing execution with which a Repeater compares the failure to explain it: see
	// internal/explore.Search.Passing. "" is the nearest one.
	Against string
	// FirstFailure ends the run when a test fails, or an execution does not end.
	FirstFailure bool
	// Cache, if not nil, has the results of packages that have passed.
	Cache *Cache
	// Overlay, if not nil, is used instead of making one.
	Overlay *goroot.Overlay
	// Temporary is the folder for temporary files; "" is the system's.
	Temporary string
	Observers report.Observers
	// Doing, if not nil, is called with a description of slow work other than tests.
	Doing func(what string)

	guard *process.Guard // ends the processes that workers started; nil guards nothing

	thrifty bool // neither Executions nor For has been set
	few     bool // a test may end when all there is has been explored: see wire.Request

	dir string   // working directory of the go command; "" is the current folder
	env []string // added to the environment of this process for the tests

	// Replaced by tests of this package. The self-test replaces listed and build.
	grace       time.Duration // for a worker to exit by itself; 0 is graceTime
	longest     int           // limit of an answer, in bytes; 0 is longestAnswer
	firstTime   time.Duration // of a test; 0 is firstTime
	forAll      time.Duration // that a run takes by default; 0 is timeForAll
	shrinks     time.Duration // how long shrinking a failure may take; 0 follows from For
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
	o.few = o.Executions == 0
	if o.thrifty = o.few && o.For == 0; o.thrifty {
		o.Executions = DefaultExecutions
	}
	o.Settings.Batch, o.Settings.Short = batchSize, o.Build.Short
	if o.Doing == nil {
		o.Doing = func(string) {}
	}
}
