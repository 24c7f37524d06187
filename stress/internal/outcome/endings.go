package outcome

// The recording of a native execution that hangs, or ends its process, is accompanied by files of the
// same name with these endings, for the tools that read such things.
const (
	// GoroutinesEnding is that of the goroutine dump, as a crash prints it.
	GoroutinesEnding = ".goroutines.txt"
	// EventsEnding is that of the ring of events: the last hook events of all tasks, by time.
	EventsEnding = ".events.txt"
	// TraceEnding is that of the execution trace of the last seconds, for go tool trace. A child that
	// could not report any more leaves none.
	TraceEnding = ".trace"
)

// RecordingEnding is that of a recording.
const RecordingEnding = ".rouse"
