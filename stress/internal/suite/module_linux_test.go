package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// TestInterruptedWorkers: nothing is left of a run that was interrupted, also of a test that hangs in a
// system call, and what a killed run has left is removed.
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
	t.TempDir()
	t.Run("below", func(t *testing.T) { t.TempDir() })
	os.WriteFile("pid", []byte(strconv.Itoa(os.Getpid())), 0o600)
	syscall.Pause()
}
`})
	o := real(t, dir)
	t.Setenv("TMPDIR", tmp)
	if err := os.Mkdir(filepath.Join(tmp, "stress-suite-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.Observers = report.Observers{&onProgress{do: func(report.Progress) {
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
	o.Observers, o.Timeout = nil, hangTimeout
	r := one(t, o)
	if r.Status != report.TestUncontrolled || !strings.HasPrefix(r.Summary, "outside of control: no progress for 5s in execution 0: a system call at hangs.TestHangs (hangs_test.go:") {
		t.Errorf("%+v", r)
	}
}

// TestInterruptedBuilds: an interruption ends all builds, and what they have started.
func TestInterruptedBuilds(t *testing.T) {
	o := packages(t, "TestA", 3)
	dir, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("FAKE_PIDS", filepath.Join(dir, "pids"))
	t.Setenv("FAKE_TESTS", os.Args[0])
	goCommand := filepath.Join(dir, "go")
	const script = `#!/bin/sh
for package; do :; done
if [ "$package" = a ]; then exec cp "$FAKE_TESTS" "$5"; fi
sleep 1000 &
echo $$ $! >>"$FAKE_PIDS"
wait
`
	if err := os.WriteFile(goCommand, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	o.build = nil
	o.makeOverlay = func(context.Context, goroot.Options) (*goroot.Overlay, error) {
		return &goroot.Overlay{Go: goCommand, GoVersion: "go1.26.8"}, nil
	}
	setProcessors(t, 2)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	pids := func() []string {
		text, _ := os.ReadFile(filepath.Join(dir, "pids"))
		return strings.Fields(string(text))
	}
	go func() {
		for len(pids()) < 4 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel(stopped)
	}()
	if r, err := Run(ctx, o); !errors.Is(err, stopped) || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	for _, p := range pids() {
		pid, err := strconv.Atoi(p)
		for tries := 0; err == nil && alive(pid); tries++ {
			if time.Sleep(time.Millisecond); tries == 10_000 {
				err = errors.New("it runs")
			}
		}
		if err != nil {
			t.Errorf("process %s is left, %v", p, err)
		}
	}
}

// alive reports whether a process runs; one that has ended may not have been waited for.
func alive(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}
