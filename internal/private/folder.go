package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder opens a folder that only this user can read and write, rouse/NAME in the user's
// cache folder, and makes it if it is missing. If there is no cache folder (no $HOME), or another
// user can write to it, it opens rouse-UID/NAME in the folder for temporary files. If that belongs
// to another user, too, it returns an error.
func Folder(name string) (*os.Root, error) {
	var problems []error
	for _, where := range candidates() {
		root, err := openFolder(where.parent, where.base)
		if err == nil {
			defer root.Close()
			return below(root, name)
		}
		problems = append(problems, err)
	}
	return nil, errors.Join(problems...)
}

type place struct{ parent, base string }

func candidates() (all []place) {
	if cache, err := os.UserCacheDir(); err == nil {
		all = append(all, place{cache, "rouse"})
	}
	return append(all, place{os.TempDir(), fmt.Sprintf("rouse-%d", os.Getuid())})
}

// openFolder opens a folder that must be this user's alone, and makes it if it is missing.
func openFolder(parent, base string) (*os.Root, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	in, err := os.OpenRoot(parent)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	root, err := below(in, base)
	if err != nil {
		return nil, err
	}
	// Stat the open folder, which is no link: its name may lead elsewhere by now.
	opened, err := root.Stat(".")
	if err == nil {
		var named fs.FileInfo
		if named, err = in.Lstat(base); err == nil && !os.SameFile(named, opened) {
			err = fmt.Errorf("%s: a link, want a folder", filepath.Join(parent, base))
		}
	}
	if err == nil && !ownedAlone(opened) {
		err = fmt.Errorf("%s: another user owns it, or can read or write it", filepath.Join(parent, base))
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// below opens a folder, and makes it if it is missing.
func below(in *os.Root, name string) (*os.Root, error) {
	if err := in.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return in.OpenRoot(name)
}
