package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: packages that have not changed and are tested, or not counted; a run with nothing to test that fails, or says
// more than that.
func TestModuleSince(t *testing.T) {
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") { // of a hook that runs the tests
			t.Setenv(name, value) // restored afterwards
			os.Unsetenv(name)
		}
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := moduleOf(t, map[string]string{"a": passingTest, "b": passingTest, "c": passingTest})
	for _, args := range []string{"init -q", "add .", "-c user.name=x -c user.email=x@example.com commit -qm x"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		finish(t, cmd).want(t, 0)
	}
	reports := t.TempDir() // elsewhere: a new file in the module is a change
	run := func(args ...string) call {
		t.Helper()
		return in(t, dir, plainBinary, append([]string{"test", "./...", "--executions", "20", "--json", filepath.Join(reports, "j"), "--junit", filepath.Join(reports, "x.xml")}, args...)...)
	}
	type line struct {
		Kind, Since string
		Unchanged   int
		Passed      bool
	}
	lines := func() (all []line) {
		t.Helper()
		for text := range strings.Lines(readFile(t, filepath.Join(reports, "j"))) {
			var l line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatal(err)
			}
			all = append(all, l)
		}
		return all
	}
	got := run("--since", "HEAD")
	got.want(t, 0)
	if want := "ok: nothing to test, 3 packages unchanged since HEAD\n"; got.out != want || got.errs != "" {
		t.Errorf("got %q and %q, want %q", got.out, got.errs, want)
	}
	if all := lines(); len(all) != 2 || all[0] != (line{"suite", "HEAD", 3, false}) || !all[1].Passed {
		t.Errorf("%+v", all)
	}
	write(t, filepath.Join(dir, "b"), "b.go", "package b\n\nvar X int\n")
	got = run("--since", "HEAD")
	got.want(t, 0)
	if strings.Contains(got.out, "m/a TestPasses") || !strings.Contains(got.out, "m/b TestPasses") || !strings.Contains(got.out, "\n2 packages unchanged since HEAD\n") ||
		!strings.Contains(got.out, "\nok: 1 test, 2 packages unchanged since HEAD, 20 executions, ") {
		t.Error(got.out)
	}
	if all := lines(); all[0] != (line{"suite", "HEAD", 2, false}) || !all[len(all)-1].Passed {
		t.Errorf("%+v", all)
	}
	write(t, filepath.Join(dir, "b"), "b_test.go", "package b\n") // no test is left
	run("--since", "HEAD").want(t, 0)
	if got = run("--since", "none"); !strings.HasPrefix(got.errs, "stress: --since none: want a commit of the repository ") || got.out != "" {
		t.Errorf("%s%s", got.out, got.errs)
	}
	got.want(t, 2)
}
