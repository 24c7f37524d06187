package strategy

import "math"

// A Strategy chooses the schedules of a series of executions. Its methods are called by
// one engine, never by two goroutines at once, and must not block. Its choices must be a
// function of its arguments: the same seed and the same tasks have to give the same
// choices, on any machine.
type Strategy interface {
	// Name returns the strategy's name with its parameters: "pct(3)".
	Name() string
	// Begin is called before each execution. It returns false, and nothing more is
	// run, when the strategy has explored all there is.
	Begin(x Execution) bool
	// Next returns the index, as of c.At, of the task that makes the next step. It is
	// called before every step, also when only one task is enabled: but see Skipper.
	Next(c *Choice) int
	// Pick chooses among n alternatives, at least two, of what c.Asks names. c.Current is
	// the task whose step it is. Alternative 0 is the default.
	Pick(c *Choice, n int) int
	// End is called after each execution, with how it ended.
	End(r Result)
}

// An Observer is a Strategy that is notified of every event.
type Observer interface {
	// Happened is called after each event, in the order of the execution, before
	// the next call of another method. An event is what Next chose or a part of it
	// that needs no choice: the unlocking of a mutex, the start of a task.
	Happened(e Event)
}

// A SpawnObserver is an Observer that may need no events but Spawn, which saves time.
type SpawnObserver interface {
	Observer
	// OnlySpawns reports whether, in the execution that has begun, Happened need not be called after other events.
	OnlySpawns() bool
}

// A Skipper is a Strategy that need not be asked where there is nothing to choose, which
// saves time.
type Skipper interface {
	// SkipsForced reports whether, in the execution that has begun, Next need not be
	// called before steps at which a single task is enabled.
	SkipsForced() bool
}

// A Delegator is a Strategy that lets another one choose.
type Delegator interface {
	// Chooser returns the strategy whose Next and Pick are to be called in the execution that has
	// begun.
	Chooser() Strategy
}

// Chooser returns the strategy that chooses in the execution that s has begun.
func Chooser(s Strategy) Strategy {
	for {
		d, ok := s.(Delegator)
		if !ok {
			return s
		}
		s = d.Chooser()
	}
}

// An AfterSwitcher is a Strategy that may also switch tasks directly after an operation
// that others can see (Kind After), before the plain code that follows it. A program
// without data races behaves no differently then; one that publishes a variable and
// then writes it does.
type AfterSwitcher interface {
	// SwitchesAfter reports whether, in the execution that has begun, Next is to be
	// called there.
	SwitchesAfter() bool
}

// A Rerunner is an Observer that begins many executions with the steps of the one before,
// whose events it does not need again.
type Rerunner interface {
	Observer
	// Known is called after Begin: of that many steps at the beginning of the execution
	// the engine may leave out the events other than Spawn.
	Known() int
}

// An Execution is one run of the subject that is about to begin.
type Execution struct {
	Number int    // from 0
	Seed   uint64 // of this execution; all its randomness comes from it
}

// A Result is what a strategy may learn from an execution.
type Result struct {
	Steps  int  // how often Next was asked
	Failed bool // a verdict other than pass
	Cut    bool // given up before the end: too many steps, perhaps of tasks that the first one left
	// Collapsed counts the loops that only repeated reads, and were held back or run to
	// their end: no other task was scheduled between their rounds.
	Collapsed int
	// Forced counts what the engine decided without asking although there was a choice: for example the
	// turn of a task that had waited for very long.
	Forced int
	// Lazy: timers ran, or tasks asked for the time, and time could not pass at each step at which a task could
	// continue.
	Lazy bool
	// Drawn: faults were drawn from a plan.
	Drawn bool
	// Outside: something outside of the execution woke tasks.
	Outside bool
	// Chance: tasks drew at random, and Dumped: they asked for the number of goroutines, for a dump of them, or a
	// sync.Pool that several tasks use.
	Chance, Dumped bool
	// Asides are the operations of tasks before which no other task could be chosen, in their order, for an
	// AsideObserver. If several of one line and object follow each other, the first and the last are enough.
	Asides []Aside
	// Order is a hash of the partial order of the events, the same for two executions that differ
	// only in the order of events that do not interact.
	Order uint64
}

// A Question is what a Pick is about.
type Question uint8

// The questions.
const (
	// Outcome: which of its outcomes the current task's step has: which ready case a
	// select takes, which store a weak load reads.
	Outcome Question = iota
	// RunOn: the current task begins to repeat itself: it reads again what no task has
	// written since. 0 leaves it to Next. 1 lets it run on alone, until it does something
	// else or has repeated itself very often. 1 < i < RunOnStops does so for i-1 reads at most, and then
	// holds it back, as below. There are RunOnStops alternatives, or RunOnLengths more: it runs on alone for very
	// long. The first of these is so long that a loop which does not end then may as well be endless, and each
	// further one half as long.
	RunOn
	// HoldOrRunOn: the current task has repeated itself several times. 0 holds it back
	// until another task writes what it reads, or no other task is enabled; 1 lets it run
	// on alone, as above. There may be a third alternative: for the longest time.
	HoldOrRunOn
)

// RunOnStops is the number of alternatives of RunOn that end after that many reads, and RunOnLengths that of
// the longer ones.
const (
	RunOnStops   = 1024
	RunOnLengths = 8
)

// A Choice holds what a strategy can choose from.
type Choice struct {
	// Enabled are the tasks that can make a step, in an order that depends only on the
	// schedule so far. If the execution has many tasks, more may follow, which are in
	// groups: Len and At have all of them, at least one. Tasks that spin are among them
	// only if there are no others. It is overwritten after the call.
	Enabled []*Task
	// Current is the task that made the last step, or nil at the beginning. It need
	// not be enabled any more.
	Current *Task
	// Default is the index, as of At, of what the canonical policy would choose: the
	// current task if it is enabled and does not yield or spin, and else the enabled task
	// of the lowest ID. A schedule is recorded as its differences from that.
	Default int
	// Changes counts how often the tasks that can make a step have changed in the
	// execution; 0 if unknown.
	Changes int
	// Step is the number of steps made so far.
	Step int
	// Asks is what a Pick is about.
	Asks Question

	many    bool // tasks
	grouped int  // tasks in groups that are on
	groups  *groups
	keys    keys
}

// A Task is a goroutine of the subject, or a pseudo-task of the engine (a clock
// that may fire, a store buffer that may drain).
type Task struct {
	// ID numbers the tasks of one execution in the order of their creation. The
	// same goroutine may have another ID under another schedule.
	ID int
	// Key is a hash of the task's path ("main/0/1": child number 1 of child number 0
	// of main), the same in every execution.
	Key uint64
	// Parent created the task; nil for the first.
	Parent *Task
	// Op is what the task is about to do.
	Op Op
	// Ops is the number of operations that it has done.
	Ops int
	// Spinning: it has repeated itself to no effect, and will again until another task
	// writes what it reads.
	Spinning bool
	// Pseudo: not a goroutine of the subject.
	Pseudo bool
	// Group has the task if it waits with many others for the same; else nil.
	Group *Group
	// Place is its index in Choice.Enabled, or in Group.Tasks; -1 if it is in neither.
	Place int
}

// An Op is one operation, the unit of scheduling.
type Op struct {
	Kind Kind
	// Object is the number of the operation's object within this execution, given at first use,
	// or 0 for none.
	Object int
	// Others are further objects, of a select; nil otherwise.
	Others []int
}

// races reports whether the order of the operations, of two different tasks, may matter:
// they share an object, and at least one of them does more than read it.
func (o Op) races(p Op) bool {
	if o.Kind.reads() && p.Kind.reads() {
		return false
	}
	return o.Touches(p.Object) || p.touchesAny(o.Others)
}

// Touches reports whether the operation uses that object.
func (o Op) Touches(object int) bool {
	if object == 0 {
		return false
	}
	if o.Object == object {
		return true
	}
	for _, other := range o.Others {
		if other == object {
			return true
		}
	}
	return false
}

func (o Op) touchesAny(objects []int) bool {
	for _, object := range objects {
		if o.Touches(object) {
			return true
		}
	}
	return false
}

// An Event is an operation that has been done.
type Event struct {
	Task *Task
	Op   Op // as it turned out: a failed compare-and-swap is a Load
	// Child is the task that began to exist, if Op.Kind is Spawn.
	Child *Task
	// Wakes are tasks that waited for this event and that it enabled, whatever its objects.
	// It is overwritten after the call.
	Wakes []*Task
}

// A Kind is what an operation does to its object, as far as scheduling goes.
type Kind uint8

// The kinds of operation. With one that waits, the task is enabled only while the operation can
// be done at once.
const (
	Begin       Kind = iota // a task's first step; no object
	Spawn                   // starts a task; no choice precedes it
	End                     // the task has ended; no choice precedes it
	Point                   // passes a hook point; no object
	Yield                   // lets others go first; no object
	Load                    // reads
	Store                   // writes, and may read
	CAS                     // reads, and writes if it succeeds
	Lock                    // waits until the lock is free, and takes it
	TryLock                 // takes the lock if it is free
	Unlock                  // gives the lock up
	RLock                   // waits until the lock is free for readers
	TryRLock                // takes the lock for reading if that is possible
	RUnlock                 // ends reading
	Drain                   // of a writer that is announced: waits until the readers are gone
	Wait                    // waits for the object's event: a Cond's signal, a WaitGroup's zero
	Signal                  // makes the object's event happen, or counts towards it
	Once                    // waits until no task runs the function, and learns whether to run it
	Send                    // on a channel: waits for room or a receiver
	Receive                 // from a channel: waits for a value or the end
	Close                   // of a channel
	Select                  // on several channels; waits for one of them, or has a default
	Sleep                   // waits until virtual time has passed
	Clock                   // of a pseudo-task: the next timer fires
	Flush                   // of a pseudo-task: the oldest store of a buffer reaches memory
	Fence                   // a memory fence; no object
	After                   // has done what others can see, and is about to run plain code; no object
	Resume                  // continues after a wait that another task, or a timer, has ended; no object
	Syscall                 // a system call; what is outside of the process is one object
	SyscallRead             // a system call that only reads that object
	lastKind
)

var kindNames = [lastKind]string{
	"begin", "spawn", "end", "point", "yield", "load", "store", "cas", "lock", "try-lock", "unlock", "r-lock",
	"try-r-lock", "r-unlock", "drain", "wait", "signal", "once", "send", "receive", "close", "select", "sleep",
	"clock", "flush", "fence", "after", "resume", "system call", "system call",
}

// String returns the kind's name, for people.
func (k Kind) String() string {
	if k < lastKind {
		return kindNames[k]
	}
	return "?"
}

// Waits reports whether a task may have to wait before such an operation.
func (k Kind) Waits() bool {
	switch k {
	case Lock, RLock, Drain, Wait, Once, Send, Receive, Select, Sleep:
		return true
	}
	return false
}

// reads reports whether two operations of such kinds commute on one object.
func (k Kind) reads() bool { return k == Load || k == SyscallRead }

// A Guarantor is a Strategy that finds bugs with a probability that has a known lower bound.
type Guarantor interface {
	// Guarantee returns the guarantee of the last execution; false if it had none.
	Guarantee() (Guarantee, bool)
}

// A Guarantee is the theorem of PCT for one execution: a bug of that depth, which needs that many ordering
// constraints and whose changes of priority lie within the first Steps steps, is found with a probability of
// at least 1/(Tasks*Steps^(Depth-1)). A step counts if there were several tasks to choose from. What else a
// bug needs, such as an outcome of select, lowers the probability.
type Guarantee struct{ Depth, Tasks, Steps int }

// Least returns the least probability that n such executions find the bug.
func (g Guarantee) Least(n int) float64 {
	if n == 0 {
		return 0
	}
	one := 1 / (float64(g.Tasks) * math.Pow(float64(g.Steps), float64(g.Depth-1)))
	return -math.Expm1(float64(n) * math.Log1p(-one))
}

// GuaranteeOf returns the guarantee of the last execution by a strategy; false if it had none.
func GuaranteeOf(s Strategy) (Guarantee, bool) {
	if by, ok := Chooser(s).(Guarantor); ok {
		return by.Guarantee()
	}
	return Guarantee{}, false
}
