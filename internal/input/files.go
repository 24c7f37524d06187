package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// GoFiles returns the paths of the files of a folder, in order, whose names end like that, such as in _test.go: those
// that the go command would read. It ignores names that begin with _ or ., such as the lock files of Emacs. What is
// not regular, with links followed, is left out. A folder that does not exist has none.
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
