package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

// errInvalid is the error of a build that the compiler refuses; its text is the compiler's message.
type errInvalid struct{ text string }

func (e *errInvalid) Error() string { return e.text }

// goTest builds the test binary of a package into a folder. It returns "" if the package has no tests. overlay is
// a file, or "" for the overlay in the user's flags.
func (s *session) goTest(ctx context.Context, p *pkg, dir, name, overlay string, more ...string) (binary string, err error) {
	binary = filepath.Join(dir, name+".test")
	args := append([]string{"test", "-c", "-vet=off", "-o", binary}, s.Build.Flags()...)
	if _, err = s.goCommand(ctx, dir, args, overlay, append(more, p.PkgPath)); err != nil {
		return "", err
	}
	if _, err := os.Stat(binary); err != nil { // go test -c writes no binary without tests
		return "", nil
	}
	return binary, nil
}

// goCommand runs the go command. The error is an *errInvalid if the build fails. Files that an interrupted build
// leaves behind are below dir.
func (s *session) goCommand(ctx context.Context, dir string, args []string, overlay string, more []string) (out string, err error) {
	if overlay != "" {
		args = append(args, "-overlay="+overlay) // the last counts
	}
	cmd := process.Command(ctx, "go", append(args, more...)...)
	cmd.Env = append(os.Environ(), "GOTMPDIR="+dir)
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	err = s.guard.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && cmd.ProcessState == nil:
		return "", fmt.Errorf("the go command: %w", err)
	case err != nil:
		return "", &errInvalid{strings.TrimSpace(text.String())}
	}
	return text.String(), nil
}

// invalid returns the compiler's message if err is an *errInvalid.
func invalid(err error) (text string, is bool) {
	var e *errInvalid
	if errors.As(err, &e) {
		return e.text, true
	}
	return "", false
}

// buildFlags returns the build flags of a way.
func buildFlags(way string) []string {
	if way == Race {
		return []string{"-race"}
	}
	return nil
}

// folder makes a temporary folder.
func (s *session) folder() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(s.tmp, "")
	return dir, func() { removeAll(dir) }, err
}

// removeAll removes a folder in which a test may have made folders that are not writable.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error { //nolint:errcheck // what stays is removed by the next run
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700) //nolint:errcheck // as above
		}
		return nil
	})
	os.RemoveAll(dir) //nolint:errcheck // as above
}
