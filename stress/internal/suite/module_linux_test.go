package suite

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// TestInterruptedWorkers: nothing is left of a run that was interrupted, also of a test that hangs in a
// system call.
func TestInterruptedWorkers(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/hangs\n\ngo 1.25\n",
		"hangs_test.go": `package hangs

import (
	"os"
	"strconv"
	"syscall"
	"testing"
)

func TestHangs(t *testing.T) {
	os.WriteFile("pid", []byte(strconv.Itoa(os.Getpid())), 0o600)
	syscall.Pause()
}
`})
	o := real(t, dir)
	t.Setenv("TMPDIR", tmp)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.Observers = []report.TestObserver{&onProgress{do: func(report.Progress) {
		if text, _ := os.ReadFile("pid"); len(text) > 0 {
			cancel(stopped)
		}
	}}}
	if r, err := Run(ctx, o); !errors.Is(err, stopped) || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	text, _ := os.ReadFile("pid")
	if pid, err := strconv.Atoi(string(text)); err != nil || syscall.Kill(pid, 0) == nil {
		t.Errorf("process %s is left, %v", text, err)
	}
	// Without an interruption it is outside of control.
	o.Observers, o.Timeout = nil, 500*time.Millisecond
	r := one(t, o)
	if r.Status != report.TestUncontrolled || !strings.HasPrefix(r.Summary, "outside of control: no progress for 500ms in execution 0: a system call at hangs.TestHangs (hangs_test.go:") {
		t.Errorf("%+v", r)
	}
}
