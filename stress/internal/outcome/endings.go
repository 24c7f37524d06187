package outcome

// Beside the recording of a native execution that hangs, or takes its process with it, lie files
// under the same name, but for the ending: what tools for such things read.
const (
	// GoroutinesEnding is that of the goroutine dump, as a crash prints it.
	GoroutinesEnding = ".goroutines.txt"
	// EventsEnding is that of the ring of events: the last hook events of all tasks, by time.
	EventsEnding = ".events.txt"
	// TraceEnding is that of the execution trace of the last seconds, for go tool trace. A child
	// that could not speak any more leaves none.
	TraceEnding = ".trace"
)

// RecordingEnding is that of a recording.
const RecordingEnding = ".rouse"
