package explain

import (
	"encoding/json"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
)

// A Failure is an execution that has failed, as data.
type Failure struct {
	Verdict   verdict.Verdict `json:"verdict"`
	Summary   string          `json:"summary"`           // one line
	Differs   string          `json:"differs,omitempty"` // from the recording that was repeated; "" if it does not
	Page      *Page           `json:"page"`
	Timelines *Timelines      `json:"timelines"`
}

// FailureVariable is the environment variable by which stress explain --html asks a test binary for the
// failure that -chaos.replay repeats: the name of a file, for a Failure in JSON.
const FailureVariable = "CHAOS_FAILURE"

// Write writes the failure to a file.
func (f *Failure) Write(file string) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return atomicfile.Write(file, text)
}
