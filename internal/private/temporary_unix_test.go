//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package private

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// TestTemporary: what a process leaves that was killed, the next one removes; what a process uses that
// runs it leaves alone, and what is none of ours.
func TestTemporary(t *testing.T) {
	_, parent := places(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(parent, "rouse-test-link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(parent, "rouse-test-file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rouse-test-1x", "rouse-test-results"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const others = "rouse-test-1x rouse-test-file rouse-test-link rouse-test-results"

	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	theirs, said, _ := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || said != "<nil>" || filepath.Dir(theirs) != parent {
		t.Fatalf("%v: the child says %q", err, line)
	}

	mine, remove, err := Temporary("rouse-test")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(names(t, parent)); len(got) != 6 || mine == theirs {
		t.Errorf("next to a process that runs: %q", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() //nolint:errcheck // it was killed
	again, removeAgain, err := Temporary("rouse-test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(theirs); !os.IsNotExist(err) {
		t.Errorf("what a killed process has left stays: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("what is in use is gone: %v", err)
	}
	for _, remove := range []func() error{remove, removeAgain} {
		if err := remove(); err != nil {
			t.Error(err)
		}
	}
	if got := names(t, parent); got != others {
		t.Errorf("left %q (%s, %s), want %q", got, mine, again, others)
	}
	if got := names(t, outside); got != "file" {
		t.Errorf("behind a link: %q", got)
	}
}

// TestTemporaryWhereAllMayRename: there the names of what is to be removed cannot be relied on.
func TestTemporaryWhereAllMayRename(t *testing.T) {
	_, parent := places(t)
	left := filepath.Join(parent, "rouse-test-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]bool{0o777: true, 0o777 | os.ModeSticky: false} {
		if err := os.Chmod(parent, mode); err != nil {
			t.Fatal(err)
		}
		os.Mkdir(left, 0o700) //nolint:errcheck // it is there the first time
		_, remove, err := Temporary("rouse-test")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); (err == nil) != want {
			t.Errorf("mode %v: it stays: %t, want %t", mode, err == nil, want)
		}
		if err := remove(); err != nil {
			t.Error(err)
		}
	}
}

// TestHoldOfARemovedFile: what was removed before it was held is made anew.
func TestHoldOfARemovedFile(t *testing.T) {
	for name, meddle := range map[string]func(path string) error{
		"removed":  os.Remove,
		"replaced": func(path string) error { return os.Rename(path+"2", path) },
	} {
		path := filepath.Join(t.TempDir(), "file")
		for _, p := range []string{path, path + "2"} {
			if err := os.WriteFile(p, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := meddle(path); err != nil {
			t.Fatal(err)
		}
		if err := hold(f, func() (os.FileInfo, error) { return os.Lstat(path) }); err != errRemoved {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Catches: a folder that another process sweeps between its making and its lock, for which there is no other.
func TestSweptBeforeHeld(t *testing.T) {
	_, parent := places(t)
	sweeps := 2
	made = func(string) {
		if sweeps--; sweeps >= 0 {
			Sweep("rouse-test", nil)
		}
	}
	defer func() { made = func(string) {} }()
	dir, remove, err := Temporary("rouse-test")
	if err != nil {
		t.Fatal(err)
	}
	if sweeps != -1 || names(t, parent) != filepath.Base(dir) {
		t.Errorf("after %d sweeps there is %q, want %s", 2-sweeps, names(t, parent), dir)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
}
