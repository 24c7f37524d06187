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

// temporaryPrefix begins the names of the folders for temporary files of sessions.
const temporaryPrefix = "stress-suite"

// temporaryPrefixes are those of all commands.
var temporaryPrefixes = []string{temporaryPrefix, "stress-debug", "stress-explain", "stress-mutate", "rouse-mutant"}

// Temporary is that of package private, and Sweep.
func Temporary(prefix string) (dir string, remove func() error, err error) {
	Sweep()
	return private.Temporary(prefix)
}

// Sweep removes the folders for temporary files that killed commands have left, and those of testing.T.TempDir that the
// executions had made which ran then.
func Sweep() {
	for _, prefix := range temporaryPrefixes {
		private.Sweep(prefix, removeMadeBelow)
	}
}

// makeTemporary makes a folder for binaries and other files of a run. Those that killed runs have left
// are removed.
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

// removeMadeBelow removes what the workers had made whose files of numbers are below the folder of a killed command. A
// test may have made files that look alike.
func removeMadeBelow(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // what is readable
		if err == nil && d.Type().IsRegular() {
			removeMadeOf(path)
		}
		return nil
	})
}

// removeMadeOf removes what the worker had made whose file of the number that is, if it is one.
func removeMadeOf(file string) {
	digits, is := strings.CutPrefix(filepath.Base(file), wire.NumberPrefix)
	if !is || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return
	}
	if number, err := input.Read(file, wire.NumberSize); err == nil && len(number) == wire.NumberSize {
		removeMade(number[wire.MadeAt:])
	}
}

// made are the names that package testing has os.MkdirTemp make.
var made = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example).*[0-9]$`)

// removeMade removes the temporary folders that an execution has made and that its process, which was killed, has
// left. A test can have chosen where they are, so their names count. It removes nothing through a link, which may lead
// elsewhere by now; the folder for temporary files of this process may have some in its path.
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
