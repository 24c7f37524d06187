// Package control runs a subject one task at a time, and decides inside every
// hook which task goes on.
//
//	engine, err := control.New(control.Options{Strategy: strategy.Random()})
//	if err != nil { ... }
//	defer engine.Close()
//	for n := range 1000 {
//		result := engine.Run(seed(n), func() { ... }) // the subject, built afresh
//	}
//
// A task is a goroutine of the subject: the body that Run is given, and whatever
// is started by hooks.Task or a drop-in. It stops before each operation that
// others could see - an atomic access, a lock, a wait, a send - and goes on when
// the strategy chooses it. What a task waits for is modelled: a task whose lock is
// taken is not enabled, and if nobody is, that is a deadlock, there and then.
// Between two operations a task runs undisturbed, which loses nothing unless it
// has a data race; that is what -race is for, which works under control. One such race
// shows without it: in one execution of eight the sampling strategies also switch directly
// after an operation that others can see, so a plain write that should have come before
// the store is late. Exhaustive strategies do not: what they call complete is so for
// programs without data races.
//
// # What runs
//
// The real operation still runs when its turn has come, so that values, panics
// and the race detector's edges are those of the real thing. Only what waits is
// the engine's own: the waiting of conditions, the passing of time, the meeting
// of sender and receiver.
//
// # Memory
//
// By default memory is sequentially consistent, as Go's atomics are. Options.Memory
// asks what if it were not: under TSO a store may wait in its task's buffer, whose
// flush is a pseudo-task that the strategy schedules; under Views a load may read an
// older store, which the strategy picks. Both are decisions like any other, recorded
// and replayed with the rest; without deviations the memory is sequentially
// consistent. An execution that fails, and that no sequentially consistent memory can
// have - its order has a cycle - has the verdict relies-on-sc, and Result says where,
// and what it would be otherwise. That is of the execution as it is: shrink it first,
// or what is of no matter counts, too.
//
// What is not declared is sequentially consistent: methods of hooks/atomic among it.
// Plain variables are always as in Go. Stores of a variable have the order in which
// they are made (under TSO, reach memory); there is no load buffering; a
// compare-and-swap reads the newest store also if it does not swap; and no more than
// two loads in a row of a task read an old store of the same variable.
//
// # Spin loops
//
// A task that reads again and again what nobody writes may be in a loop without end, or
// in one that is bounded: the engine cannot see a task's own variables. So no strategy
// schedules it round by round for long. Once it repeats itself it may run on alone, until
// it does something else, 1,024 rounds at most; if it does not, it is held back until
// somebody writes what it reads, or nobody else can go on. Strategies choose between the two
// (strategy.Question). The first dozen repetitions are scheduled like all other steps.
// An exhaustive search that has met a longer loop says that it is bounded by it.
//
// # Switching
//
// A task that goes on just returns from its hook. Another one is a switch of
// goroutines: through coroutines (coroutines.go), or through channels
// (channels.go), which -race needs and runtime.LockOSThread asks for. Both give
// the same schedules.
//
// # Memory
//
// Executions leave nothing behind. A mix of everything, with faults, has after 10,000
// executions and after 1,000,000 of them, once what is free has been given back:
//
//	coroutines, random       8 and 8 goroutines, 8.0 and 8.7 MiB resident
//	coroutines, portfolio    8 and 8, 9.7 and 10.3 MiB
//	channels, random         4 and 4, 9.6 and 8.9 MiB
//	channels, portfolio      4 and 4, 9.8 and 9.9 MiB
//
//	go test -tags chaos -run LeaveNothing -timeout 1h -v ./chaos/control -executions 1000000
//
// # Limits
//
// There is one engine in a process, as hooks find it without being told. A goroutine
// that is no task, as one started without hooks.Task, ends the execution by the first
// hook that it passes, with the verdict uncontrolled; so does a wake of a task that no
// hook shows, and a go statement whose goroutine is found alive (looked for in the
// first execution, and in some others). The verdict names the go statement or the
// operation. One that passes no hook and has ended before it is found remains unknown,
// and so does a timer of the standard library whose callback takes more than a quarter
// of a second to pass a hook: an execution that waits for it is called stuck.
// Goroutines of other tests, and of judges, may pass hooks. A task that blocks outside
// the hooks - in a system call, on a mutex of the standard package - blocks the whole
// execution; a watchdog names it. A task runs on the goroutine of one that has ended,
// by runtime.Goexit perhaps, and then above what that has left on the stack: a subject
// that looks for its callers (runtime.Callers, debug.Stack) may find those of tasks
// before it.
//
// It imports hooks, internal/seam, internal/self and other packages under chaos;
// never the drop-ins, as it would run itself.
package control
