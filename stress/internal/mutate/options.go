package mutate

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/operator"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// The ways in which a mutant is tested.
const (
	Plain      = "plain"       // go test
	Race       = "race"        // go test -race
	Stress     = "stress"      // stress test
	StressRace = "stress-race" // stress test -race
	Command    = "command"     // a command of the user's
)

// Ways lists all ways, in the order of reports.
var Ways = []string{Plain, Race, Stress, StressRace, Command}

// DefaultWays lists the ways of a run that names none.
var DefaultWays = []string{Plain, Race, Stress}

// Defaults of a run.
const (
	DefaultBudget     = 10 * time.Second
	DefaultExecutions = suite.DefaultExecutions
	DefaultSeed       = 1 // the same command does the same
)

// Options of a run.
type Options struct {
	Packages []string    // patterns of the go command; none is the package of the current folder
	Build    suite.Build // without Race and Exec
	Run      string      // selects top-level tests, like -run of go test; "" is all
	Ways     []string    // none is DefaultWays, with Command if there is one
	Command  string      // for the shell: exit code 0 if a mutant survives, 1 if it is detected
	// Budget is how long a trial may take, without its build. A test gets three times as long as it takes on
	// the unmutated package, if that is longer; see idleLimit for tests that do not run.
	Budget     time.Duration
	Executions int // executions of each test under stress test
	Count      int // how often each test runs plainly and with the race detector
	Seed       uint64
	Sample     int      // how many mutants are tested; 0 is all
	Since      string   // a commit: only mutants of lines that have changed since
	Operators  []string // names; none is all
	IDs        []string // IDs of mutants; none is all
	Score      float64  // the least acceptable score
	Procs      int      // trials at a time; 0 is the number of processors
	Memory     int64    // bytes that the process of a trial may use; 0 is a share of the machine's memory, negative is no limit
	Out        string   // folder of the journal; "" is none
	Observers  report.Observers
	// Doing, if not nil, is called with descriptions of the work before the mutants are tested.
	Doing func(what string)
}

// complete fills in the defaults, and returns an error for unknown operators and ways.
func (o *Options) complete() error {
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Executions, o.Count = cmp.Or(o.Executions, DefaultExecutions), cmp.Or(o.Count, 1)
	o.Procs = cmp.Or(o.Procs, runtime.NumCPU())
	o.Memory = cmp.Or(o.Memory, process.Share(o.Procs))
	if o.Doing == nil {
		o.Doing = func(string) {}
	}
	names := OperatorNames()
	for _, name := range o.Operators {
		if !slices.Contains(names, name) {
			return refused("unknown operator %q; %s", nearest.Clip(name), nearest.Hint(name, names))
		}
	}
	for _, way := range o.Ways {
		if !slices.Contains(Ways, way) {
			return refused("unknown way %q; %s", nearest.Clip(way), nearest.Hint(way, Ways))
		}
	}
	if len(o.Ways) == 0 {
		o.Ways = slices.Clone(DefaultWays)
		if o.Command != "" {
			o.Ways = append(o.Ways, Command)
		}
	}
	switch {
	case slices.Contains(o.Ways, Command) && o.Command == "":
		return refused("the way command wants a command to run")
	case !slices.Contains(o.Ways, Command) && o.Command != "":
		return refused("there is a command, and command is not among the ways")
	}
	var ordered []string
	for _, way := range Ways {
		if slices.Contains(o.Ways, way) {
			ordered = append(ordered, way)
		}
	}
	o.Ways = ordered
	return nil
}

// OperatorNames returns the names of all operators, in their order.
func OperatorNames() (names []string) {
	for _, op := range operator.All() {
		names = append(names, op.Name)
	}
	return names
}

// refused returns the error of a request of the user that cannot be served.
func refused(format string, args ...any) error {
	return &suite.InputError{Problem: fmt.Sprintf(format, args...)}
}

// tests reports whether a way runs the package's tests.
func tests(way string) bool { return way != Command }
