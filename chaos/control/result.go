package control

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/real"
)

// What executions, and traces of them, are described by.
type (
	// A Result describes how an execution ended.
	Result = core.Result
	// A TaskState describes where a task that has not ended is stopped.
	TaskState = core.TaskState
	// A FaultCount counts how often a fault of the plan was hit (see plan.Fault), and fired.
	FaultCount = core.FaultCount
	// Outsiders counts how often something outside has woken a task of a Runtime: an execution in which that happens need
	// not repeat.
	Outsiders = core.Outsiders
	// An Event is an operation that a task has done, a hook point that it has passed (strategy.Point), the beginning of a
	// wait, or a timer's firing (strategy.Clock). Events refer to each other by their place in the trace, counted from 1; 0
	// means none.
	Event = core.Event
	// A ChannelCase is one communication that a task was ready for.
	ChannelCase = core.ChannelCase
	// Experiments repeat an execution up to some event, and then let one task run alone.
	Experiments = core.Experiments
	// A Swap keeps a task from one of its operations until another task has made one of its own.
	Swap = core.Swap
	// A Judge returns the verdict on a stuck execution and a one-line summary, if it knows better than the engine. An empty
	// verdict leaves the engine's verdict, an empty summary its summary. stuck is the engine's own result.
	Judge = core.Judge
	// A Visit is the combined effect of the faults at one visit of a hook point.
	Visit = real.Visit
)

// Initial is the Source of an Event that read a value that no task has written in this execution.
const Initial = core.Initial

// NoProgress begins the panic by which the watchdog ends the process.
const NoProgress = core.NoProgress

// Title returns the title of a task for the user: its path and, unless it is "", its name.
func Title(path, name string) string { return core.Title(path, name) }
