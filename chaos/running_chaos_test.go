//go:build chaos && unix

package chaos_test

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/faketest"
)

// ownPlaces gives this process and its children a home and a folder for temporary files.
func ownPlaces(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, dir := range map[string]string{"HOME": "", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp"} {
		dir = filepath.Join(home, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, dir)
	}
	return home
}

// files lists the files below a folder.
func files(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// says runs an exploration of the test, and returns what it logs.
func says(t *testing.T, body func(c *chaos.C)) string {
	t.Helper()
	r := faketest.New(t.Name())
	chaos.Explore(r, body, chaos.WithDir(t.TempDir()), chaos.WithExecutions(2))
	return r.Log
}

func nothing(*chaos.C) {}

// dyingEnv says how a child is to come to its end in the third execution: it exits, or waits
// to be killed.
const dyingEnv = "ROUSE_TEST_DYING"

// dies starts the calling test in a process of its own, and returns it when it has come to the third
// execution. In that process it does not return.
func dies(t *testing.T, how string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), dyingEnv+"="+how)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	out := bufio.NewReader(stdout)
	if line, err := out.ReadString('\n'); line != "third\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	return cmd
}

// dying runs the exploration of such a child, and reports whether this process is one.
func dying(t *testing.T) bool {
	how := os.Getenv(dyingEnv)
	if how == "" {
		return false
	}
	n := 0
	chaos.Explore(t, func(*chaos.C) {
		if n++; n < 4 { // the first is run twice
			return
		}
		fmt.Println("third")
		if how == "exit" {
			os.Exit(7)
		}
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // until the parent has ended
		os.Exit(7)
	}, chaos.WithDir(t.TempDir()))
	return true
}

const accused = "died; it was in: -chaos.seed=0x1 -chaos.execution=2\n"

// TestCrashIsRemembered: an execution that takes the process with it, or that a signal ends, is
// known to the next run, and to that alone.
func TestCrashIsRemembered(t *testing.T) {
	if dying(t) {
		return
	}
	home := ownPlaces(t)
	for _, how := range []string{"exit", "killed"} {
		cmd := dies(t, how)
		if how == "killed" {
			cmd.Process.Kill() //nolint:errcheck // Wait says it
		}
		if err := cmd.Wait(); err == nil {
			t.Fatalf("%s: the process did not crash", how)
		}
		if got := says(t, nothing); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, accused) {
			t.Errorf("%s: the next run says %q, want %q", how, got, accused)
		}
		if got := says(t, nothing); got != "" {
			t.Errorf("%s: the run after that says %q", how, got)
		}
		if left := files(t, home); len(left) > 0 {
			t.Errorf("%s: left %q", how, left)
		}
	}
}

// TestRunsAtOnceAccuseNobody: a run in progress has not died, and its file stays; it is reported
// when it has.
func TestRunsAtOnceAccuseNobody(t *testing.T) {
	if dying(t) {
		return
	}
	home := ownPlaces(t)
	first, second := dies(t, "killed"), dies(t, "killed")
	for range 2 {
		if got := says(t, nothing); got != "" {
			t.Errorf("with two others it says %q", got)
		}
	}
	for _, cmd := range []*exec.Cmd{first, second} {
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() //nolint:errcheck // it was killed
		if got := says(t, nothing); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, accused) {
			t.Errorf("after one of them was killed it says %q", got)
		}
	}
	if left := files(t, home); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestLinksAreNotFollowed: the names of files can be seen while a test runs. Links with these names
// change nothing elsewhere the next time, and what they lead to is not read.
func TestLinksAreNotFollowed(t *testing.T) {
	home := ownPlaces(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var seen []string
	says(t, func(*chaos.C) { seen = files(t, home) })
	if len(seen) != 1 {
		t.Fatalf("while it runs there are the files %q, want one", seen)
	}
	if err := os.Symlink(victim, seen[0]); err != nil {
		t.Fatal(err)
	}
	if got := says(t, nothing); got != "" {
		t.Errorf("it says %q", got)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious\n" {
		t.Errorf("the victim has %q, %v", text, err)
	}
	if _, err := os.Lstat(seen[0]); err != nil {
		t.Error(err)
	}
}

// TestSharedFoldersAreNotUsed: nothing is remembered where another user can write.
func TestSharedFoldersAreNotUsed(t *testing.T) {
	home := ownPlaces(t)
	for _, dir := range []string{"cache/rouse", "tmp/rouse-" + strconv.Itoa(os.Getuid()), "tmp"} {
		dir = filepath.Join(home, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	got := says(t, func(*chaos.C) { seen = files(t, home) })
	if got != "" || len(seen) > 0 {
		t.Errorf("it says %q, and there are the files %q", got, seen)
	}
}

// TestOldFilesAreRemoved: of a test that has not run for long, or is no more.
func TestOldFilesAreRemoved(t *testing.T) {
	if dying(t) {
		return
	}
	home := ownPlaces(t)
	cmd := dies(t, "exit")
	cmd.Wait() //nolint:errcheck // it exits with 7
	left := files(t, home)
	if len(left) != 1 {
		t.Fatalf("left %q, want one file", left)
	}
	another := func() {
		chaos.Explore(faketest.New("Another"), nothing, chaos.WithDir(t.TempDir()), chaos.WithExecutions(1))
	}
	another()
	if now := files(t, home); len(now) != 1 {
		t.Errorf("another test leaves %q", now)
	}
	long := time.Now().Add(-60 * 24 * time.Hour)
	if err := os.Chtimes(left[0], long, long); err != nil {
		t.Fatal(err)
	}
	another()
	if now := files(t, home); len(now) > 0 {
		t.Errorf("after 60 days there is still %q", now)
	}
}
