package control

import "github.com/rouse-go/rouse/chaos/internal/real"

type (
	// A Runtime is a mechanism whose tasks are goroutines of a subject that knows nothing of an engine: the Go runtime itself,
	// patched by the build overlay of package goroot.
	Runtime = real.Runtime
	// A Scheduler is called by a Runtime. No two of its methods run at the same time.
	Scheduler = real.Scheduler
	// A Start holds the parameters of an execution.
	Start = real.Start
)

// Kinds of timers, as Runtime.NextKind returns them.
const (
	OneShot       = real.OneShot
	Periodic      = real.Periodic
	Sleeping      = real.Sleeping
	PeriodicSleep = real.PeriodicSleep
	OfTest        = real.OfTest
	OfContext     = real.OfContext
)

const (
	// None stands for no task.
	None = real.None
	// Never stands for the lock of a task that waits for ever: see Runtime.Unreachable.
	Never = real.Never
	// Outside stands for a waker of a task that is not a task: a goroutine, or the network poller.
	Outside = real.Outside
)
