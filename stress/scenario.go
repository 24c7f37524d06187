package stress

import (
	"cmp"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/native"
)

// A Scenario is a subject, a workload, a plan, and the verdict that is expected.
// One that expects a failure is a positive control: it proves that the oracle
// can see.
type Scenario struct {
	Name  string
	Group string // what it belongs to; "" is nothing
	About string // what it shows, one or two sentences
	// Mode is how it is run; Strategy, under control, who chooses the schedules, by a
	// name that strategy.Parse takes ("" is DefaultStrategy), and MaxSteps after how
	// many decisions an execution is cut (0 is DefaultMaxSteps). Clock says, under control,
	// when timers fire.
	Mode     Mode
	Strategy string
	MaxSteps int
	Clock    control.Clock
	// Subject is the name of what it is about; "" is the pool. Scenarios of other subjects
	// have neither Pool (but for a 0 in Workers) nor Sizes nor
	// Except, but Params, by the names of Param, as a scenario file has them: 3, 20us, a name, true.
	Subject  string
	Params   map[string]string
	Pool     PoolSpec
	Workload string // one of Workloads, or of the subject's
	Sizes    Sizes
	Plan     []chaos.Fault
	Expect   Verdict
	// May are verdicts as good as the expected one: chance decides. Why says why what is
	// expected is, where that is not what the scenario is about.
	May []Verdict
	Why string
	// Except says what else is expected with other strategies of sleep; see With.
	Except []Exception
	// Executions bounds the executions of one campaign; 0 is no bound but time. A scenario
	// that expects a failure and is cut short of them without one is left open.
	Executions int
	// Share is how many shares of a campaign's time it gets, beside scenarios that get one;
	// 0 is 1.
	Share int

	guest *guest // of another subject than the pool
}

// A Mode is how a scenario is run.
type Mode string

// The modes.
const (
	// Native: goroutines run truly parallel, in real time, and faults strike them.
	Native Mode = ""
	// Control: one task runs at a time, a strategy chooses which, and time is virtual.
	// What is found repeats exactly.
	Control Mode = "control"
)

// String is what scenario files say.
func (m Mode) String() string {
	if m == Native {
		return "native"
	}
	return string(m)
}

// What a controlled scenario has that does not say.
const (
	DefaultStrategy = "portfolio"
	DefaultMaxSteps = 100_000
)

// strategy returns the scenario's, by its name.
func (sc *Scenario) strategy() string { return cmp.Or(sc.Strategy, DefaultStrategy) }

// A PoolSpec says how the subject is built.
type PoolSpec struct {
	// Workers are the pool sizes to go through: execution i has
	// Workers[i % len(Workers)].
	Workers []int
	// Sleep is the name of one of sleep.Variants; "" is the default, and leaves it to
	// With.
	Sleep string
	// JECBits, ThreadBits are the widths of the counters; 0 is the production
	// width (32 and 16).
	JECBits, ThreadBits int
	// InitialJEC is where the jobs event counter starts, modulo its width.
	InitialJEC uint64
	// Rounds until sleepy; nil is the production value (32), and 0 makes a worker
	// announce itself sleepy at once.
	Rounds *int
	// DequeCapacity is what a deque has room for before it grows; 0 is the
	// production value (64).
	DequeCapacity int
	// MaxInjected is how many jobs from outside may wait for a worker, of each of the
	// scenario's pools; 0 is any number.
	MaxInjected int
}

// Sizes of a workload; each workload documents which it uses. 0 is the
// workload's default.
type Sizes struct {
	Jobs      int           // jobs of each injector, spawns of each scope
	Injectors int           // goroutines that post from outside
	Depth     int           // depth of recursion or nesting
	Leaf      int           // elements that a leaf of a loop, or of a reduction, has at most
	Repeat    int           // how often the workload is repeated on one pool
	Pause     time.Duration // between posts, so that workers fall asleep
}

// A Result is what one execution came to.
type Result struct {
	Execution int    // number within the campaign's scenario, from 0
	Seed      uint64 // of this execution
	Workers   int
	Verdict   Verdict
	// Summary names the victim in one line; "" if the verdict is Pass.
	Summary string
	// Explanation tells the story in a few lines: who checked, who posted, which
	// notification was dropped or never sent, who sleeps.
	Explanation []string
	// State is the subject's own dump, Goroutines the runtime's, Events the last
	// hook events of each task; "" if the verdict is Pass. Under control Goroutines are
	// the tasks that have not ended, and Events a table with a column for each task.
	State, Goroutines, Events string
	Points                    []PointCount // points that were visited, by name
	Faults                    []FaultCount // in the order of the plan
	Duration                  time.Duration
}

// What the engine counts, under the names by which reports speak of it.
type (
	PointCount = native.PointCount
	FaultCount = native.FaultCount
)
