package stress

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/atomicfile"
)

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

// isOfRecording reports whether a file is called as a recording is, or what lies beside one.
func isOfRecording(path string) bool {
	for _, ending := range []string{recordingEnding, GoroutinesEnding, EventsEnding, TraceEnding} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

// writeBeside writes what there is to write beside the recording of an execution. Each file
// appears complete or not at all.
func writeBeside(recording string, r *Result, trace []byte) error {
	if r.Goroutines == "" { // it has come to its end
		return nil
	}
	for _, f := range []struct {
		ending string
		text   []byte
	}{
		{GoroutinesEnding, []byte(r.Goroutines)}, {EventsEnding, []byte(r.Events)}, {TraceEnding, trace},
	} {
		if len(f.text) == 0 {
			continue
		}
		if err := atomicfile.Write(strings.TrimSuffix(recording, recordingEnding)+f.ending, f.text); err != nil {
			return fmt.Errorf("cannot write beside a recording: %w", err)
		}
	}
	return nil
}

// beside lists the files that lie beside a recording.
func beside(recording string) (files []string) {
	stem, ok := strings.CutSuffix(recording, recordingEnding)
	if !ok {
		return nil
	}
	for _, ending := range []string{GoroutinesEnding, EventsEnding, TraceEnding} {
		if info, err := os.Stat(stem + ending); err == nil && info.Mode().IsRegular() {
			files = append(files, filepath.FromSlash(stem+ending))
		}
	}
	return files
}
