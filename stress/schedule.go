package stress

import (
	"path/filepath"

	"github.com/rouse-go/rouse/chaos/recording"
)

// A Schedule is the recording of an execution under control, which chaos.Explore
// has written. A campaign's own recordings are read by ReadRecording.
type Schedule = recording.Recording

// ReadSchedule reads the file if it is a Schedule, and returns nil if it is
// something else. Errors are *InputErrors, or what recording.Read returns.
func ReadSchedule(path string) (*Schedule, error) {
	data, err := readInput(path)
	if err != nil {
		return nil, err
	}
	if !recording.Is(data) {
		return nil, nil
	}
	return recording.Parse(path, string(data))
}

// GoTest is the command that repeats the schedule in that file.
func GoTest(s *Schedule, path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute // a test runs in the folder of its package
	}
	return s.Command(path)
}
