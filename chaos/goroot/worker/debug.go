package worker

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// Debug serves the only request of a worker that a debugger runs, which is in the folder wire.Setup.Debug,
// and prints the outcome.
func (w *Worker) Debug() error {
	file := filepath.Join(w.setup.Debug, wire.DebugRequest)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var r wire.Request
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	w.answers = json.NewEncoder(io.Discard)
	a := w.serve(r)
	if a.Kind == wire.Refused {
		return fmt.Errorf("%s: %s", r.Test, a.Reason)
	}
	defer w.endSession()
	fmt.Println(a.Failure.Report)
	if differs := a.Reason; differs != "" {
		fmt.Println("not as recorded: " + differs)
	} else {
		fmt.Println("as recorded, with an equal trace hash")
	}
	return nil
}

// patience returns control.Options.Patience: a person who thinks is slower than any execution.
func (w *Worker) patience() time.Duration {
	if w.setup.Debug != "" {
		return -1
	}
	return 0
}

// say prints a line without a lock: a task may have stopped while it holds that of the standard streams.
func say(line string) { print(line, "\n") }
