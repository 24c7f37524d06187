package channel_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// builds are the build tags of the two builds.
var builds = []string{"normal", "chaos"}

// build builds the program in testdata/name.
func build(t *testing.T, name, tag string) (exe string) {
	t.Helper()
	exe = filepath.Join(t.TempDir(), name+".exe")
	if out, err := exec.Command("go", "build", "-tags", tag, "-o", exe, "./testdata/"+name).CombinedOutput(); err != nil {
		t.Fatalf("build of %s, %s build: %v\n%s", name, tag, err, out)
	}
	return exe
}

// run runs a program and returns what it printed and whether it failed.
func run(t *testing.T, name string, args ...string) (out string, failed bool) {
	t.Helper()
	text, err := exec.Command(name, args...).CombinedOutput()
	exit := (*exec.ExitError)(nil)
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return string(text), err != nil
}

// A goroutine that waits on nil for ever is one that no test gets rid of. So the
// waiting is done by a program of its own.
func TestWaitsForEver(t *testing.T) {
	for _, tag := range builds {
		exe := build(t, "forever", tag)
		list, _ := run(t, exe)
		for name := range strings.Lines(list) {
			name = strings.TrimSpace(name)
			returns := slices.Contains([]string{"nothing, as a control", "Select of a default", "Poll of what never can be"}, name)
			out, failed := run(t, exe, name)
			if failed == returns || returns != (out == "returned\n") || failed && !strings.Contains(out, "all goroutines are asleep - deadlock!") {
				t.Errorf("%s build: %s: failed: %t, says\n%s", tag, name, failed, out)
			}
		}
		if n := strings.Count(list, "\n"); n < 8 {
			t.Errorf("%s build: %d operations were tried", tag, n)
		}
	}
}

// A function that replaces a statement compiles to it: no symbol of it is left.
func TestNormalBinaryHoldsTheSelectsOnly(t *testing.T) {
	held := func(tag, name string) bool {
		out, failed := run(t, "go", "tool", "nm", build(t, "uses", tag))
		if failed || !strings.Contains(out, " T main.main\n") {
			t.Fatalf("nm: failed: %t\n%.500s", failed, out)
		}
		return regexp.MustCompile(` T github\.com/rouse-go/rouse/hooks/channel\.` + name + `\b`).MatchString(out)
	}
	statements := "(Send|Receive|ReceiveOK|Range|Close|Len|Cap)"
	if held("normal", statements) {
		t.Error("the normal build calls a function for a statement")
	}
	if !held("normal", "wait") || !held("chaos", statements) {
		t.Error("what is in the binaries is not seen")
	}
}
