package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// IsOfRecording reports whether a file has the name of a recording or of a sidecar.
func IsOfRecording(path string) bool {
	for _, ending := range []string{outcome.RecordingEnding, outcome.GoroutinesEnding, outcome.EventsEnding, outcome.TraceEnding} {
		if strings.HasSuffix(path, ending) {
			return true
		}
	}
	return false
}

// WriteSidecars writes the files that accompany the recording of an execution. Each appears complete or
// not at all.
func WriteSidecars(recording string, r *outcome.Result, trace []byte) error {
	if r.Goroutines == "" { // it has ended
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
			return fmt.Errorf("cannot write a file that accompanies a recording: %w", err)
		}
	}
	return nil
}

// Sidecars lists the files that accompany a recording.
func Sidecars(recording string) (files []string) {
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
