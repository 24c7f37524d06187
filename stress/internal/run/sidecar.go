package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// isOfRecording reports whether a file is called as a recording is, or what lies beside one.
func IsOfRecording(path string) bool {
	for _, ending := range []string{outcome.RecordingEnding, outcome.GoroutinesEnding, outcome.EventsEnding, outcome.TraceEnding} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

// writeBeside writes what there is to write beside the recording of an execution. Each file
// appears complete or not at all.
func WriteBeside(recording string, r *outcome.Result, trace []byte) error {
	if r.Goroutines == "" { // it has come to its end
		return nil
	}
	for _, f := range []struct {
		ending string
		text   []byte
	}{
		{outcome.GoroutinesEnding, []byte(r.Goroutines)}, {outcome.EventsEnding, []byte(r.Events)}, {outcome.TraceEnding, trace},
	} {
		if len(f.text) == 0 {
			continue
		}
		if err := atomicfile.Write(strings.TrimSuffix(recording, outcome.RecordingEnding)+f.ending, f.text); err != nil {
			return fmt.Errorf("cannot write beside a recording: %w", err)
		}
	}
	return nil
}

// beside lists the files that lie beside a recording.
func Beside(recording string) (files []string) {
	stem, ok := strings.CutSuffix(recording, outcome.RecordingEnding)
	if !ok {
		return nil
	}
	for _, ending := range []string{outcome.GoroutinesEnding, outcome.EventsEnding, outcome.TraceEnding} {
		if info, err := os.Stat(stem + ending); err == nil && info.Mode().IsRegular() {
			files = append(files, filepath.FromSlash(stem+ending))
		}
	}
	return files
}
