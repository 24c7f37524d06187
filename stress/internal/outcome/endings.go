package outcome

// The recording of a native execution that hangs, or ends its process, is accompanied by files of the
// same name with these endings, for the tools that read them.
const (
	// GoroutinesEnding is the ending of the goroutine dump, in the form of a crash.
	GoroutinesEnding = ".goroutines.txt"
	// EventsEnding is the ending of the ring of events: the last hook events of all tasks, by time.
	EventsEnding = ".events.txt"
	// TraceEnding is the ending of the execution trace of the last seconds, for go tool trace. A child
	// that could no longer report leaves none.
	TraceEnding = ".trace"
)

// RecordingEnding is the ending of a recording.
const RecordingEnding = ".rouse"
