package chaos

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/private"
	"github.com/rouse-go/rouse/internal/seam"
)

// running is a file with the number of the current execution, so that an execution that ends the
// process (by a fatal error, an exit, a time limit) is known afterwards. The process locks the
// file: an unlocked one is from a run that has died.
type running struct {
	folder *os.Root // nil if it could not be made
	file   *os.File
	name   string
	at     int64 // offset of the number
}

const (
	runningFolder = "running"
	// runningKept is the time after which the file of a test that has not run again is removed.
	runningKept = 30 * 24 * time.Hour
	maxRunning  = 4 << 10 // bytes of a file
)

// runningKey returns the prefix of the files of a test in the current folder.
func runningKey(test string) string {
	here, _ := os.Getwd()
	return fmt.Sprintf("%016x", seam.Hash(here+"\x00"+test))
}

// begin makes the file, and returns the lines of files that runs which died have left.
func begin(test string, s *settings) (r running, left []string) {
	folder, err := private.Folder(runningFolder)
	if err != nil {
		return running{}, nil
	}
	key := runningKey(test)
	left = abandoned(folder, key)
	f, name, err := private.Create(folder, key)
	if err != nil {
		folder.Close()
		return running{}, left
	}
	n, _ := f.WriteString(s.upTo())
	return running{folder, f, name, int64(n)}, left
}

// abandoned returns the lines of the test's files that no process has locked. It removes these, and
// the old ones of all tests.
func abandoned(folder *os.Root, key string) (left []string) {
	dir, err := folder.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		info, err := e.Info()
		mine := strings.HasPrefix(e.Name(), key+"-")
		if err != nil || !mine && time.Since(info.ModTime()) < runningKept {
			continue
		}
		f, err := private.Take(folder, e.Name())
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, maxRunning))
		folder.Remove(e.Name()) //nolint:errcheck // it is locked until then: only one run reports it
		f.Close()
		// An empty file's process was about to write, or could not remove it.
		if line := strings.TrimRight(string(text), " \n"); mine && err == nil && line != "" {
			left = append(left, line)
		}
	}
	return left
}

// executes writes the number of the execution that begins.
func (r *running) executes(n int) {
	if r.file == nil {
		return
	}
	var digits [24]byte
	r.file.WriteAt(strconv.AppendInt(digits[:0], int64(n), 10), r.at) //nolint:errcheck // best effort
}

// end removes the file.
func (r *running) end() {
	if r.file == nil {
		return
	}
	r.file.Truncate(0)      //nolint:errcheck // if it cannot be removed, it reports nothing
	r.folder.Remove(r.name) //nolint:errcheck // likewise
	r.file.Close()
	r.folder.Close()
}
