package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// GoFiles returns the sorted paths of the files in a folder whose names have the given ending, such as _test.go, and
// that the go command would read. It ignores names that begin with _ or ., such as the lock files of Emacs, and, with
// links followed, files that are not regular. A folder that does not exist has no files.
func GoFiles(dir, ending string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ending) {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	return files, nil
}
