package private

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
)

// ErrHeld is returned by Lock and Take for a file that another open file holds.
var ErrHeld = errors.New("a process that runs holds it")

// Lock makes an open file or folder the holder of the file that it is open for, until it is closed
// or the process ends in any way. It does not wait: if another open file is the holder, it returns
// ErrHeld. It fails if the system or the file system has no such locks.
func Lock(f *os.File) error { return lock(f) }

// Share is Lock for one of several holders. While there are any, Lock returns ErrHeld, and while there is a holder
// from Lock, Share returns ErrHeld.
func Share(f *os.File) error { return share(f) }

// Create makes a file PREFIX-RANDOM in a folder of Folder, and holds it until it is closed or the
// process has ended.
func Create(in *os.Root, prefix string) (f *os.File, name string, err error) {
	for {
		name = prefix + "-" + rand.Text()
		if f, err = in.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return nil, "", err
		}
		// Until it is held, another process may take it for an abandoned one and remove it.
		err = hold(f, func() (fs.FileInfo, error) { return in.Lstat(name) })
		if err == nil {
			return f, name, nil
		}
		f.Close()
		if err != errRemoved {
			in.Remove(name) //nolint:errcheck // it is empty
			return nil, "", err
		}
	}
}

// errRemoved reports that another process held and removed the file before this one held it.
var errRemoved = errors.New("removed")

// hold locks a file that has just been made. named returns the file that its name then leads to.
func hold(f *os.File, named func() (fs.FileInfo, error)) error {
	err := Lock(f)
	if errors.Is(err, ErrHeld) {
		return errRemoved
	}
	if err != nil {
		return err
	}
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := named(); err != nil || !os.SameFile(opened, now) {
		return errRemoved
	}
	return nil
}

// Take opens a file in a folder of Folder and holds it. It returns ErrHeld if the process that made the
// file still runs.
func Take(in *os.Root, name string) (*os.File, error) {
	f, err := in.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := Lock(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
