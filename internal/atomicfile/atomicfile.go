package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a file that is being written under a temporary name, until Commit or Discard.
type File struct {
	tmp  *os.File
	path string
	err  error // of the first write that failed
}

// Create begins a file with the given path in an existing folder.
func Create(path string) (*File, error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), temporary(path))
	if err != nil {
		return nil, err
	}
	return &File{tmp: tmp, path: path}, nil
}

// temporary returns the pattern of the temporary names of a file.
func temporary(path string) string { return "." + filepath.Base(path) + ".*.tmp" }

// Write writes to the temporary file, without a buffer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.tmp.Write(p)
	if f.err == nil {
		f.err = err
	}
	return n, err
}

// Commit puts the file in its place, with permissions 0644. If that or an earlier Write fails,
// it returns the first error, and the path stays as it was.
func (f *File) Commit() error {
	return f.commit(func(tmp string) error { return os.Rename(tmp, f.path) })
}

// Discard leaves the path as it was.
func (f *File) Discard() {
	f.tmp.Close()           //nolint:errcheck // the content is not wanted
	os.Remove(f.tmp.Name()) //nolint:errcheck // likewise
}

func (f *File) commit(place func(tmp string) error) error {
	err := f.err
	for _, step := range []func() error{f.tmp.Sync, func() error { return f.tmp.Chmod(0o644) }, f.tmp.Close} {
		if e := step(); err == nil {
			err = e
		}
	}
	if err == nil {
		err = place(f.tmp.Name())
	}
	if err != nil {
		os.Remove(f.tmp.Name()) //nolint:errcheck // the error at hand matters more
	}
	return err
}

// Write writes data to the file, replacing its old content. It makes missing folders.
func Write(path string, data []byte) error {
	return write(path, data, func(tmp string) error { return os.Rename(tmp, path) })
}

// WriteNew is Write for a file that does not exist yet: if it does, the error wraps fs.ErrExist.
func WriteNew(path string, data []byte) error {
	return write(path, data, func(tmp string) error { return placeNew(tmp, path) })
}

// WriteNumbered is WriteNew for the first path among stem+ending, stem-2+ending and so on that
// does not exist. It returns the path.
func WriteNumbered(stem, ending string, data []byte) (path string, err error) {
	path = stem + ending
	err = write(path, data, func(tmp string) error {
		for i := 2; ; i++ {
			if err := placeNew(tmp, path); !errors.Is(err, fs.ErrExist) {
				return err
			}
			path = fmt.Sprintf("%s-%d%s", stem, i, ending)
		}
	})
	return path, err
}

func write(path string, data []byte, place func(tmp string) error) error {
	undo, err := MkdirAll(filepath.Dir(path))
	if err != nil {
		return err
	}
	f, err := Create(path)
	if err == nil {
		f.Write(data) //nolint:errcheck // commit returns it
		err = f.commit(place)
	}
	if err != nil {
		undo()
	}
	return err
}

// placeNew gives the temporary file its name, unless the name is taken.
func placeNew(tmp, path string) error {
	switch err := os.Link(tmp, path); {
	case err == nil:
		os.Remove(tmp) //nolint:errcheck // a second name is harmless
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// Not every file system has links.
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrExist}
	}
	return os.Rename(tmp, path)
}

// MkdirAll makes a folder and its missing parents. undo removes the folders that MkdirAll made,
// if they are empty.
func MkdirAll(dir string) (undo func(), err error) {
	var missing []string // the deepest first
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); !os.IsNotExist(err) || d == filepath.Dir(d) {
			break
		}
		missing = append(missing, d)
	}
	undo = func() {
		for _, d := range missing {
			os.Remove(d) //nolint:errcheck // it is in use by now
		}
	}
	if err = os.MkdirAll(dir, 0o777); err != nil {
		undo()
	}
	return undo, err
}

// RemoveStale removes the temporary files of a path. No other process may be writing the file.
func RemoveStale(path string) {
	Sweep(path, func(*os.File) bool { return true })
}

// Sweep removes the temporary files of a path for which abandoned returns true, such as those of killed
// processes. The path may have * for any letters.
func Sweep(path string, abandoned func(*os.File) bool) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(temporary(path), e.Name()); !ok || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(filepath.Dir(path), e.Name())
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		remove := abandoned(f)
		f.Close() // Windows removes nothing that is open
		if remove {
			os.Remove(name) //nolint:errcheck // it is ignored anyway
		}
	}
}

// Hold marks the file as not abandoned, for example with a lock that ends with the process. It returns false if
// another process has already removed the file.
func (f *File) Hold(lock func(*os.File) error) bool {
	lock(f.tmp) //nolint:errcheck // where there are no locks, none is abandoned
	_, err := os.Lstat(f.tmp.Name())
	return err == nil
}
