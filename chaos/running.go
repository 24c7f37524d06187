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

// running is a file that says which execution is in progress, so that one that takes
// the process with it - a fatal error, an exit, a time limit - is known afterwards.
// The process holds the file while it lives: one that nobody holds is of a run that has died.
type running struct {
	folder *os.Root // nil: it could not be made, and nothing is lost but this
	file   *os.File
	name   string
	at     int64 // where the number stands
}

const (
	runningFolder = "running"
	// runningKept is after how long the file of a test that has not run again is removed.
	runningKept = 30 * 24 * time.Hour
	maxRunning  = 4 << 10 // bytes of a file
)

// runningKey is what the files of a test begin with, of the folder that its package is tested in.
func runningKey(test string) string {
	here, _ := os.Getwd()
	return fmt.Sprintf("%016x", seam.Hash(here+"\x00"+test))
}

// begin makes the file, and returns what runs of the test have left that have died.
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

// abandoned returns what the files of a test say that no process holds, and removes them, and those
// of all tests that are old.
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
		folder.Remove(e.Name()) //nolint:errcheck // it is held until then: only one run reports it
		f.Close()
		// Empty: its process was about to write, or could not remove it.
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
	r.file.WriteAt(strconv.AppendInt(digits[:0], int64(n), 10), r.at) //nolint:errcheck // it is no more than a help
}

// end removes the file.
func (r *running) end() {
	if r.file == nil {
		return
	}
	r.file.Truncate(0)      //nolint:errcheck // if it cannot be removed, it accuses nobody
	r.folder.Remove(r.name) //nolint:errcheck // likewise
	r.file.Close()
	r.folder.Close()
}
