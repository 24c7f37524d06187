package chaos

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/internal/seam"
)

// running is a file that says which execution is under way, so that one that takes
// the process with it - a fatal error, an exit, a time limit - is known afterwards.
// The operating system keeps what was written; the file goes when the exploration
// comes to an end by itself.
type running struct {
	file *os.File // nil: it could not be made, and nothing is lost but this
	at   int64    // where the number stands
}

// runningName is the file of a test, of the folder that its package is tested in.
func runningName(test string) string {
	here, _ := os.Getwd()
	key := seam.Hash(here + "\x00" + test)
	return filepath.Join(os.TempDir(), fmt.Sprintf("rouse-chaos-%016x.running", key))
}

// begin makes the file, and returns what the last exploration left if that has not
// come to its end.
func begin(test string, s *settings) (r running, left string) {
	name := runningName(test)
	if text, err := os.ReadFile(name); err == nil {
		left = strings.TrimRight(string(text), " \n")
	}
	f, err := os.Create(name)
	if err != nil {
		return running{}, left
	}
	n, _ := f.WriteString(s.upTo())
	return running{f, int64(n)}, left
}

// executes writes the number of the execution that begins.
func (r *running) executes(n int) {
	if r.file == nil {
		return
	}
	var digits [24]byte
	r.file.WriteAt(strconv.AppendInt(digits[:0], int64(n), 10), r.at) //nolint:errcheck // it is no more than a help
}

// end removes the file.
func (r *running) end() {
	if r.file != nil {
		r.file.Close()
		os.Remove(r.file.Name())
	}
}
