package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// An Error reports what is wrong with a file that exists.
type Error struct{ Found, Want string }

func (e *Error) Error() string { return "found " + e.Found + ", want " + e.Want }

// Read reads a regular file of at most the given number of bytes. It refuses pipes (including process
// substitution and standard input), devices, sockets and folders before it opens them: reading them could
// block, or works only once. Errors are *Errors, or those of the operating system.
func Read(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Op = "open" // like the error of os.ReadFile
	}
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return nil, &Error{kind, "a regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := info.Size()
	var data []byte
	if size <= most {
		if data, err = io.ReadAll(io.LimitReader(f, most+1)); err != nil { // it may have grown
			return nil, err
		}
		size = int64(len(data))
	}
	if size > most {
		return nil, &Error{fmt.Sprintf("%d bytes", size), fmt.Sprintf("at most %d", most)}
	}
	return data, nil
}

// kindOf returns the kind of a file that is not regular, and "" for a regular one.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something that is no file"
}

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
