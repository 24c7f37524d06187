package stdout

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Replaced reports an error if the process was started without standard output: Go has opened
// /dev/null in its place, and all that is written is lost without an error. A null device that
// the caller has given for reading and writing (Python's DEVNULL) looks the same, so this is
// for output that was asked for by name, as --json - does.
func Replaced() error {
	if !replaced(os.Stdout) {
		return nil
	}
	return &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: errNotOpen}
}

var errNotOpen = errors.New("standard output is closed (or /dev/null that is open for reading, too: it looks the same)")

// A Sink is a writer that keeps the first write error.
type Sink struct {
	io.Writer
	// Unread, if set, is called with the first error if the output can never be read, so that the
	// rest of the command has no use.
	Unread func(error)
	Err    error
}

func (s *Sink) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if s.Err == nil && err != nil {
		s.Err = err
		if s.Unread != nil && errors.Is(err, syscall.EPIPE) {
			s.Unread(err)
		}
	}
	return n, err
}
