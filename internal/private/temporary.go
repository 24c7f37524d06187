package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// made is called with a folder that is not held yet. Tests replace it.
var made = func(dir string) {}

// Temporary makes a folder PREFIX-RANDOM for temporary files, which remove removes. First it sweeps
// the folders of processes that ended before they could remove them. Where folders cannot be locked,
// these stay.
func Temporary(prefix string) (dir string, remove func() error, err error) {
	Sweep(prefix, nil)
	for {
		if dir, err = os.MkdirTemp("", prefix+"-"); err != nil {
			return "", nil, err
		}
		made(dir)
		f, err := os.OpenFile(dir, os.O_RDONLY|noLink, 0)
		if err == nil {
			err = hold(f, func() (fs.FileInfo, error) { return os.Lstat(dir) })
		} else if errors.Is(err, fs.ErrNotExist) { // another process has swept it
			err = errRemoved
		}
		switch {
		case err == errRemoved:
			f.Close()
		case f == nil:
			return "", nil, errors.Join(err, os.Remove(dir))
		default: // it is held, or nothing can be here
			return dir, func() error {
				f.Close() // Windows removes nothing that is open
				return os.RemoveAll(dir)
			}, nil
		}
	}
}

// Sweep removes the folders of Temporary that were left by processes that ended before they could remove them. If
// first is not nil, it is called with each folder before that is removed.
func Sweep(prefix string, first func(dir string)) { sweep(os.TempDir(), prefix+"-", first) }

// sweep removes the folders named prefix and digits, as os.MkdirTemp makes them, that belong to this user and that no
// process has locked. It thereby spares names that a person has chosen.
func sweep(parent, prefix string, first func(dir string)) {
	// Where others may rename what is ours, a name may lead elsewhere at any time.
	if info, err := os.Stat(parent); err != nil || info.Mode()&fs.ModeSticky == 0 && info.Mode().Perm()&0o022 != 0 {
		return
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		if number, is := strings.CutPrefix(e.Name(), prefix); is && e.IsDir() && number != "" && strings.Trim(number, "0123456789") == "" {
			removeAbandoned(filepath.Join(parent, e.Name()), first)
		}
	}
}

func removeAbandoned(dir string, first func(dir string)) {
	f, err := os.OpenFile(dir, os.O_RDONLY|noLink, 0)
	if err != nil {
		return
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil || !opened.IsDir() || !owned(opened) {
		return
	}
	if named, err := os.Lstat(dir); err != nil || !os.SameFile(named, opened) || Lock(f) != nil {
		return
	}
	if first != nil {
		first(dir)
	}
	os.RemoveAll(dir) //nolint:errcheck // the next sweep tries again
}
