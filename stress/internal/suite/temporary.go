package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/private"
)

// temporaryPrefix begins the names of the temporary folders of sessions.
const temporaryPrefix = "stress-suite"

// temporaryPrefixes lists the prefixes of all commands.
var temporaryPrefixes = []string{temporaryPrefix, "stress-debug", "stress-explain", "stress-mutate", "rouse-mutant"}

// Temporary calls Sweep, and then private.Temporary.
func Temporary(prefix string) (dir string, remove func() error, err error) {
	Sweep()
	return private.Temporary(prefix)
}

// Sweep removes the temporary folders that killed commands left, and the testing.T.TempDir folders of the executions
// that were running.
func Sweep() {
	for _, prefix := range temporaryPrefixes {
		private.Sweep(prefix, removeMadeBelow)
	}
}

// makeTemporary makes a folder for binaries and other files of a run, and unless Temporary is set, removes the
// folders that killed runs left.
func (s *session) makeTemporary() (err error) {
	if dir := cmp.Or(s.Temporary, os.TempDir()); s.Build.Race && strings.ContainsAny(dir, " \t\n") { // GORACE has no quotes
		return &InputError{fmt.Sprintf("-race: the folder for temporary files is %q; want a TMPDIR without blanks", dir)}
	}
	if s.Temporary == "" {
		s.tmp, s.remove, err = Temporary(temporaryPrefix)
		return err
	}
	s.tmp, err = os.MkdirTemp(s.Temporary, temporaryPrefix+"-")
	s.remove = func() error { return os.RemoveAll(s.tmp) }
	return err
}

// removeMadeBelow removes the temporary folders listed in number files of workers below the folder of a killed
// command. A test may have made files that look like number files.
func removeMadeBelow(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // what is readable
		if err == nil && d.Type().IsRegular() {
			removeMadeOf(path)
		}
		return nil
	})
}

// removeMadeOf removes the temporary folders that file lists, if it is the number file of a worker.
func removeMadeOf(file string) {
	digits, is := strings.CutPrefix(filepath.Base(file), wire.NumberPrefix)
	if !is || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return
	}
	if number, err := input.Read(file, wire.NumberSize); err == nil && len(number) == wire.NumberSize {
		removeMade(number[wire.MadeAt:])
	}
}

// made matches the names of the temporary folders that package testing makes with os.MkdirTemp.
var made = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example).*[0-9]$`)

// removeMade removes the temporary folders that an execution made and that its killed process left. A test may have
// chosen where they are, so their names are checked. It removes nothing through a symbolic link, which may lead
// elsewhere by now, except that the path of this process's own temporary folder may have links.
func removeMade(list []byte) {
	own := filepath.Clean(cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir()))
	for {
		name, rest, _ := bytes.Cut(list, []byte{0})
		if len(name) == 0 {
			return
		}
		list = rest
		dir := string(name)
		parent := filepath.Dir(dir)
		if !filepath.IsAbs(dir) || !made.MatchString(filepath.Base(dir)) {
			continue
		}
		if real, err := filepath.EvalSymlinks(parent); err != nil || real != parent && parent != own {
			continue
		}
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			os.RemoveAll(dir) //nolint:errcheck // as when go test is killed
		}
	}
}
