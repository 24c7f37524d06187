package stdout

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Open returns standard output. If the process was started without, Go has opened /dev/null in its place and
// all that is written would be lost without an error; then every write fails.
func Open() io.Writer {
	if replaced(os.Stdout) {
		return notOpen{}
	}
	return os.Stdout
}

var errNotOpen = errors.New("standard output is closed (or /dev/null that is open for reading, too: it looks the same; want it open for writing only)")

// notOpen is a standard output that is closed.
type notOpen struct{}

func (notOpen) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: errNotOpen}
}
