package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// A program is a test binary with the way to start it.
type program struct {
	binary string
	args   []string
	dir    string   // of its package
	env    []string // without the variables of package wire
	setup  wire.Setup
	tmp    string // folder for its files
	race   bool
	inputs *inputs                // of its workers; nil if nobody asks
	built  map[string]fs.FileInfo // the binary and the folders, as they were when it was built
}

// environment returns the environment of its workers, without the variables of package wire.
func (p *program) environment() []string {
	return append(p.env[:len(p.env):len(p.env)], "PWD="+p.dir, tracebacks)
}

// remember records the state of the binary and the folders before a test runs.
func (p *program) remember() {
	p.built = map[string]fs.FileInfo{}
	for _, name := range []string{p.binary, p.dir, p.tmp} {
		if info, err := os.Stat(name); err == nil {
			p.built[name] = info
		}
	}
}

// A test can do anything to its binary and to the folders. Then no worker can be started, or another program starts,
// which may exit with code 0. That is a problem of the test's package. Other failures to start a worker, such as a lack
// of memory or of descriptors, are problems of the run.

// byTest ends the message about a file that has changed.
const byTest = ", and a test may have done that"

// replaced returns a *disturbance if the binary is not the one that was built.
func (p *program) replaced() error {
	was := p.built[p.binary]
	if was == nil {
		return nil
	}
	now, err := os.Stat(p.binary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &disturbance{fmt.Sprintf("the test binary is gone%s: %v", byTest, err)}
	case err != nil:
		return &disturbance{fmt.Sprintf("the test binary cannot be found%s: %v", byTest, err)}
	case !os.SameFile(was, now) || was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()):
		return &disturbance{"the test binary " + p.binary + " is another file than the one that was built" + byTest}
	}
	return nil
}

// hindered returns a *disturbance if a changed binary or folder is the likely reason why a worker could not be started,
// and nil otherwise.
func (p *program) hindered(cause error) error {
	if err := p.replaced(); err != nil {
		return err
	}
	for _, f := range []struct{ name, path string }{
		{"the test binary", p.binary}, {"the folder of the package", p.dir}, {"the folder of the test binary", p.tmp},
	} {
		was := p.built[f.path]
		if was == nil {
			continue
		}
		switch now, err := os.Stat(f.path); {
		case errors.Is(err, fs.ErrNotExist):
			return &disturbance{fmt.Sprintf("%s is gone, and a test may have removed it: %v", f.name, err)}
		case err != nil:
			return &disturbance{fmt.Sprintf("%s cannot be found%s: %v", f.name, byTest, err)}
		case now.Mode() != was.Mode() && errors.Is(cause, fs.ErrPermission):
			return &disturbance{fmt.Sprintf("%s has the mode %v, not %v%s: %v", f.name, now.Mode(), was.Mode(), byTest, cause)}
		}
	}
	if busy(cause) {
		return &disturbance{fmt.Sprintf("the test binary cannot be started%s: %v", byTest, cause)}
	}
	return nil
}

// busy reports whether a program could not be started because a process has its file open for writing.
func busy(err error) bool {
	const textFileBusy = syscall.Errno(26) // ETXTBSY, which Windows has no name for
	return runtime.GOOS != "windows" && errors.Is(err, textFileBusy)
}
