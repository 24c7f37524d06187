package input

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// mostSource is the maximum size of a source file, in bytes. The largest file of Go itself has 4 MB.
const mostSource = 8 << 20

// Source reads a source file that a binary names. The name may come from a //line directive, and so may be any file
// of the system. With all links followed, the file must be below a folder with a go.mod, such as that of the
// user's module, of a replacement module or of GOROOT, or below the folder of a module in the module cache. Source
// refuses other files, and those that Read refuses.
func Source(path string) ([]byte, error) { return source(path, moduleCache) }

func source(path string, cache func() string) ([]byte, error) {
	if !filepath.IsAbs(path) { // as with -trimpath
		return nil, &Error{"a relative name", "the name of a source file"}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if dir := filepath.Dir(real); !belowModule(dir) && !cached(dir, cache()) {
		return nil, &Error{"a file of no module", "one below a go.mod, or in the module cache"}
	}
	return Read(real, mostSource)
}

// belowModule reports whether a folder or one above it has a go.mod.
func belowModule(dir string) bool {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// cached reports whether a folder is a module's folder in the module cache, or below one. Old modules have no
// go.mod there, but their folders have a version in the name. The cache keeps downloads and clones of repositories
// in a separate folder.
func cached(dir, cache string) bool {
	rel, err := filepath.Rel(cache, dir)
	if cache == "" || err != nil || !filepath.IsLocal(rel) {
		return false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first != "cache" && strings.Contains(filepath.ToSlash(rel), "@v")
}

// moduleCache returns the module cache of the go command, with all links followed, or "" if it is unknown.
var moduleCache = sync.OnceValue(func() string {
	cmd := exec.Command("go", "env", "GOMODCACHE")
	cmd.Dir = string(filepath.Separator) // it is the same everywhere, and no go.mod makes it change the toolchain
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	dir, err := filepath.EvalSymlinks(strings.TrimSpace(string(out)))
	if err != nil || !filepath.IsAbs(dir) { // it may not exist
		return ""
	}
	return dir
})
