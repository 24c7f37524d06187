package input

import (
	"os"
	"path/filepath"
	"strings"
)

// mostSource is how large a source is at most, in bytes. The largest file of Go's own has 4 MB.
const mostSource = 8 << 20

// Source reads a source file that a binary names. Binaries name what a //line directive says, so that may be
// any file of the system. It refuses what is not below the folder of a module, such as the user's own, GOROOT
// and those of the module cache, with all links followed; and what Read refuses.
func Source(path string) ([]byte, error) {
	if !filepath.IsAbs(path) { // as with -trimpath
		return nil, &Error{"a relative name", "the name of a source file"}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if !ofModule(filepath.Dir(real)) {
		return nil, &Error{"a file of no module", "one below a go.mod, or in the module cache"}
	}
	return Read(real, mostSource)
}

// ofModule reports whether a folder is that of a module, or below it. Old modules of the module cache have no
// go.mod, and their folders are those of a version.
func ofModule(dir string) bool {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() || strings.Contains(filepath.Base(dir), "@v") {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}
