package commandtest

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/internal/command"
)

// Run runs a command in-process.
type Run func(args ...string) (code int, out, errs string)

// Refused fails the test unless the command refuses the arguments with one line of error that says
// so, and prints nothing else.
func (run Run) Refused(t testing.TB, want string, args []string) {
	t.Helper()
	code, out, errs := run(args...)
	if code != command.ExitUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
		t.Errorf("%q: exit code %d, want %d and %q\n%s%s", args, code, command.ExitUsage, want, out, errs)
	}
}

// Names returns the names of what is in a folder, sorted.
func Names(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Full is a disk without room.
type Full struct{}

// Write implements io.Writer.
func (Full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }
