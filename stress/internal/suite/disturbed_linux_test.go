package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// Catches: a test that comes across the files by which its process speaks with this one, whose result is lost then, or
// made up; and a descriptor that a test finds although go test has none there.
func TestDisturbed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/disturbed\n\ngo 1.25\n",
		"disturbed_test.go": `package disturbed

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

const closeRange = 436

func TestClosesAll(t *testing.T) {
	for fd := uintptr(0); fd < 1100; fd++ {
		syscall.RawSyscall(syscall.SYS_CLOSE, fd, 0, 0)
		syscall.Close(int(fd))
	}
	t.Error("and fails")
}

func TestClosesRange(t *testing.T) {
	if _, _, err := syscall.Syscall(closeRange, 3, 1<<32-1, 0); err != 0 {
		t.Fatal(err)
	}
	t.Error("and fails")
}

func TestForges(t *testing.T) {
	for fd := uintptr(3); fd < 10; fd++ {
		f := os.NewFile(fd, "answers")
		f.WriteString("{\"kind\":\"explored\"}\n")
		f.Close()
		runtime.GC()
	}
	t.Error("and fails")
}

func TestGarbles(t *testing.T) {
	for fd := 3; fd < 1100; fd++ {
		syscall.Write(fd, []byte("{\"kind\":\"explored\"}\n"))
	}
}

func TestFirstFree(t *testing.T) {
	f, err := os.Open("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Fd() > 9 {
		t.Errorf("the first free descriptor is %d", f.Fd())
	}
}

func TestOther(t *testing.T) {}

func TestRemoves(t *testing.T) {
	if err := os.Rename(".", "x"); err == nil {
		t.Error("the folder is renamed into itself")
	}
	dir, _ := os.Getwd()
	os.RemoveAll(dir)
	os.Exit(3)
}
`})
	unknown := recording.Recording{
		Kind: recording.Unmodified, Subject: "example.com/disturbed TestOther", Build: "go1.26.8 linux/amd64", Strategy: "next-year(7)", Clock: "lazy", Verdict: verdict.Deadlock, Summary: "x", Hash: 1,
		Entries: []recording.Entry{{Task: "main", Ops: 1, To: "main/0"}},
	}
	if err := unknown.Write(filepath.Join(dir, "testdata", "chaos", "TestOther", "x.rouse")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("me@host.1:2", filepath.Join(dir, "testdata", "chaos", "TestOther", ".#x.rouse")); err != nil { // of Emacs
		t.Fatal(err)
	}
	o := real(t, dir)
	o.Executions, o.Procs = 20, 1
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Tests) != 7 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []struct {
		test    string
		status  report.TestStatus
		summary string
	}{
		{"TestClosesAll", report.TestFailed, "and fails"},
		{"TestClosesRange", report.TestFailed, "and fails"},
		{"TestForges", report.TestFailed, "and fails"},
		{"TestGarbles", report.TestUncontrolled, "a test has written into the file by which its process speaks with this one"},
		{"TestFirstFree", report.TestPassed, ""},
		{"TestOther", report.TestPassed, ""},
		{"TestRemoves", report.TestUncontrolled, "the folder of the package is gone, and a test may have removed it"},
	} {
		got := r.Tests[i]
		if got.Test != want.test || got.Status != want.status || !strings.Contains(got.Summary+got.Report, want.summary) || got.Broken != (want.status == report.TestUncontrolled) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if notes := r.Tests[5].Notes; !slices.ContainsFunc(notes, func(n string) bool {
		return strings.Contains(n, "next-year(7)") && strings.HasPrefix(n, "not repeated: ")
	}) || slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, ".#") }) {
		t.Errorf("notes %q", notes)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		t.Error("nothing was removed")
	}
}

// Catches: a daemon that a test has started, in each of its executions, and that stays when the run has ended.
func TestDaemons(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/daemons\n\ngo 1.25\n",
		"daemons_test.go": `package daemons

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func TestDaemon(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile("pids", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, cmd.Process.Pid)
	f.Close()
}
`})
	o := real(t, dir)
	o.Executions = 5
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile("pids")
	pids := strings.Fields(string(text))
	if len(pids) < 5 {
		t.Fatalf("%d daemons", len(pids))
	}
	for _, word := range pids {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		for tries := 0; ; tries++ { // a busy machine takes a while to end one
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			if err != nil || strings.Contains(string(stat), ") Z ") {
				break
			}
			if tries == 1000 {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("process %d is left: %s", pid, stat)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}
