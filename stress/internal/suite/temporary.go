package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/private"
)

// temporaryPrefix begins the names of the folders for temporary files of sessions.
const temporaryPrefix = "stress-suite"

// temporaryPrefixes are those of all commands.
var temporaryPrefixes = []string{temporaryPrefix, "stress-debug", "stress-explain", "stress-mutate", "rouse-mutant"}

// Temporary is that of package private, and Sweep. What the executions have made whose workers had their files there, and
// that is still there, is removed with the folder.
func Temporary(prefix string) (dir string, remove func() error, err error) {
	Sweep()
	dir, removeDir, err := private.Temporary(prefix)
	return dir, func() error {
		removeMadeBelow(dir)
		return removeDir()
	}, err
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

// removeMadeBelow removes what the workers had made whose files of numbers are below the folder.
func removeMadeBelow(dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // what is readable
		if err == nil && d.Type().IsRegular() && strings.HasPrefix(d.Name(), wire.NumberPrefix) {
			if number, err := input.Read(path, wire.NumberSize); err == nil && len(number) > wire.MadeAt {
				removeMade(number[wire.MadeAt:])
			}
		}
		return nil
	})
}

// removeMade removes the temporary folders that an execution has made and that its process, which was killed, has
// left. It removes no others, whatever a test has written there: what begins with the name of a test, in the folder
// where package testing makes them.
func removeMade(list []byte) {
	parent := filepath.Clean(cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir()))
	for {
		name, rest, _ := bytes.Cut(list, []byte{0})
		if len(name) == 0 {
			return
		}
		list = rest
		dir := string(name)
		if base := filepath.Base(dir); filepath.IsAbs(dir) && filepath.Dir(dir) == parent && (strings.HasPrefix(base, "Test") || strings.HasPrefix(base, "Fuzz")) {
			os.RemoveAll(dir) //nolint:errcheck // as when go test is killed
		}
	}
}
