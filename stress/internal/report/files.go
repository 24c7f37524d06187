package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/private"
	"github.com/rouse-go/rouse/stress/scenario"
)

// ErrUnwritable reports that a name is valid, but the disk is full or read-only, or the folder belongs
// to another user.
var ErrUnwritable = errors.New("cannot write there")

// CheckOut reports whether recordings could be written into the folder, and
// leaves the disk as it was: it does not create the folder. Errors that are not about the
// name wrap ErrUnwritable.
func CheckOut(dir string) error {
	if dir == "" {
		return errors.New("the name of the folder is empty")
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			if _, err := os.Lstat(at); err == nil {
				return fmt.Errorf("%s: a symbolic link that leads nowhere", at)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %s", at, scenario.Reason(err))
		}
		if !info.IsDir() {
			return fmt.Errorf("%s: not a folder", at)
		}
		probe, err := os.MkdirTemp(at, ".rouse-*.tmp")
		if err != nil {
			return fmt.Errorf("%s: %w: %s", at, ErrUnwritable, scenario.Reason(err))
		}
		return os.Remove(probe)
	}
}

// A File is a report that is being written. Until Close puts it in place, an existing file stays.
// After a crash a temporary file in the same folder holds the lines that were written, until the next run
// begins the same report. A path that is not a regular file, such as a pipe or a device, is written to
// directly. If nothing was written, Close leaves the path as it was.
type File struct {
	file   *atomicfile.File // nil if it is written to directly
	direct *os.File
	wrote  bool
	err    error // of the first direct write that failed
}

// CreateFile opens a report for writing. Errors that are not about the name wrap ErrUnwritable.
func CreateFile(path string) (*File, error) {
	if path == "" {
		return nil, errors.New("the name of the file is empty")
	}
	// Keep a link, and replace its target.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: a folder, want a file", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", path, ErrUnwritable, scenario.Reason(err))
		}
		return &File{direct: f}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %s", path, scenario.Reason(err))
	}
	// Remove the files that killed processes have left here.
	atomicfile.Sweep(path, func(f *os.File) bool { return private.Lock(f) == nil })
	f, err := atomicfile.Create(path)
	for err == nil && !f.Hold(private.Lock) {
		f.Discard()
		f, err = atomicfile.Create(path)
	}
	switch {
	case err != nil && !isDir(filepath.Dir(path)):
		return nil, fmt.Errorf("%s: %s", path, scenario.Reason(err))
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %s", path, ErrUnwritable, scenario.Reason(err))
	}
	return &File{file: f}, nil
}

// Write writes through to the file.
func (f *File) Write(p []byte) (int, error) {
	f.wrote = true
	if f.file != nil {
		return f.file.Write(p)
	}
	n, err := f.direct.Write(p)
	if f.err == nil {
		f.err = err
	}
	return n, err
}

// Close puts the file in its place. It returns the first error of any write,
// and then leaves the path as it was.
func (f *File) Close() error {
	switch {
	case f.file == nil:
		err := f.direct.Close()
		return cmp.Or(f.err, err)
	case !f.wrote:
		f.file.Discard()
		return nil
	}
	return f.file.Commit()
}

// Discard closes the file and leaves the path as it was.
func (f *File) Discard() {
	if f.file != nil {
		f.file.Discard()
	} else {
		f.direct.Close() //nolint:errcheck // the content is not wanted
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
