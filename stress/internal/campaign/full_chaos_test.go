//go:build chaos && linux

package campaign

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// fullDir, if set in the environment, is where TestFullDisk has been started again to mount a small disk.
const fullDir = "ROUSE_TEST_FULL_DISK"

// TestFullDisk: a campaign whose folder is on a disk that is too small ends with an error that says so. What
// was written until then is whole, and when there is room it can be resumed. The disk is in a name space
// of the test, which needs no root; without name spaces the test is skipped.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(fullDir); dir != "" {
		onFullDisk(t, dir)
		return
	}
	again := exec.Command(os.Args[0], "-test.run=^TestFullDisk$", "-test.v")
	again.Env = append(os.Environ(), fullDir+"="+t.TempDir())
	again.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	var out bytes.Buffer
	again.Stdout, again.Stderr = &out, &out
	if err := again.Start(); err != nil {
		t.Skipf("no name spaces for this user here: %v", err)
	}
	err := again.Wait()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, &out)
	case strings.Contains(out.String(), "--- SKIP"):
		t.Skipf("no disk could be mounted here:\n%s", &out)
	}
}

func onFullDisk(t *testing.T, dir string) {
	var scenarios []scenario.Scenario
	for i := range 12 {
		fails := scripted(fmt.Sprint("fails-", i), verdict.Deadlock, "deadlock")
		fails.Plan = []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops}}
		scenarios = append(scenarios, fails, scripted(fmt.Sprint("passes-", i), verdict.Pass, "pass"))
	}
	for _, small := range []string{"size=16k", "size=48k", "size=1m,nr_inodes=4", "size=1m,nr_inodes=9"} {
		t.Run(small, func(t *testing.T) {
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, small); err != nil {
				t.Skip(err)
			}
			defer syscall.Unmount(dir, syscall.MNT_DETACH) //nolint:errcheck // the name space ends with this process
			out := filepath.Join(dir, "out")
			report, err := Run(t.Context(), scenarios, Options{Executions: 20, Out: out, Seed: 1, Journal: true, RecordExpected: true})
			if err == nil || !strings.Contains(err.Error(), syscall.ENOSPC.Error()) || strings.Contains(err.Error(), "\n") || report.Trouble != err.Error() {
				t.Fatalf("error %v, trouble %q", err, report.Trouble)
			}
			nothingTorn(t, out)
			if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m,nr_inodes=1000"); err != nil {
				t.Fatal(err)
			}
			j, err := ReadJournal(out)
			if err != nil || j == nil {
				t.Fatalf("the journal: %v, %v", j, err)
			}
			report, err = Run(t.Context(), scenarios, Options{Out: out, Resume: j})
			if err != nil || len(report.Scenarios) != len(scenarios) || !report.AsExpected() || report.Trouble != "" {
				t.Errorf("resumed when there was room: %v, %+v", err, report)
			}
			nothingTorn(t, out)
		})
	}
}

// nothingTorn wants no file in the folder that is torn or temporary.
func nothingTorn(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		switch filepath.Ext(path) {
		case ".rouse":
			if _, err := run.ReadRecording(path, testSubjects...); err != nil {
				t.Error(err)
			}
		case ".tmp":
			t.Errorf("%s is left", path)
		}
	}
}
