package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A cachedTest has the fields of the line "test" that say whether the result is that of an earlier run.
type cachedTest struct {
	Kind, Test, Status string
	Executions         int
	Seconds            float64
	Cached             json.RawMessage
}

// cachedLines are the lines of a JSON report of that kind.
func cachedLines(t *testing.T, dir, name, kind string) (all []cachedTest) {
	t.Helper()
	for line := range strings.Lines(readFile(t, filepath.Join(dir, name))) {
		var l cachedTest
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Kind == kind {
			all = append(all, l)
		}
	}
	return all
}

// Catches: a result of an earlier run that some report does not show as one; a flag that does not run the tests again.
func TestModuleCached(t *testing.T) {
	dir := moduleOf(t, map[string]string{"a": passingTest, "b": passingTest, "failing": failingTest})
	t.Setenv("ROUSE_RESULTS", t.TempDir())
	reports := []string{"--json", "j", "-junit=x.xml", "--report", "r.md", "--report", "r.html"}
	run := func(args ...string) call {
		t.Helper()
		return in(t, dir, plainBinary, append(append([]string{"test", "--executions", "50"}, reports...), args...)...)
	}
	run("./a", "./b").want(t, 0)
	first := cachedLines(t, dir, "j", "test")
	got := run("./a", "./b")
	got.want(t, 0)
	if n := strings.Count(strings.Join(strings.Fields(got.out), " "), " (cached) "); n != 2 || !strings.Contains(got.out, "ok: 2 tests, 2 cached, 100 executions, ") {
		t.Errorf("%d cached: %s", n, got.out)
	}
	for i, x := range cachedLines(t, dir, "j", "test") {
		var c struct{ Seed, Time string }
		if err := json.Unmarshal(x.Cached, &c); err != nil || !strings.HasPrefix(c.Seed, "0x") || c.Time == "" {
			t.Errorf("%+v, %v", x, err)
		}
		if x.Executions != 50 || x.Seconds != first[i].Seconds || first[i].Cached != nil {
			t.Errorf("%+v, before %+v", x, first[i])
		}
	}
	if end := cachedLines(t, dir, "j", "end"); string(end[0].Cached) != "2" {
		t.Errorf("%+v", end)
	}
	if text := readFile(t, filepath.Join(dir, "x.xml")); strings.Count(text, `time="0.000"`) < 4 || strings.Count(text, "(cached)</system-out>") != 2 {
		t.Error(text)
	}
	for _, name := range []string{"r.md", "r.html"} {
		if text := readFile(t, filepath.Join(dir, name)); !strings.Contains(text, "2 cached") {
			t.Errorf("%s: %s", name, text)
		}
	}
	// One package of two, and what runs the tests again.
	write(t, filepath.Join(dir, "b"), "b.go", "package b\n\nvar X = 1\n")
	if got = run("./a", "./b"); strings.Count(got.out, "(cached)") != 1 || !strings.Contains(got.out, "2 tests, 1 cached, ") {
		t.Error(got.out)
	}
	for _, args := range []string{"-count=1", "--count 1", "-seed 7", "--executions 51", "-race", "-short", "--for 100ms"} {
		words := append([]string{"./a"}, strings.Fields(args)...)
		if args == "--for 100ms" {
			reports, words = nil, []string{"./a", "--for", "100ms"}
			got = in(t, dir, plainBinary, append([]string{"test"}, words...)...)
		} else {
			got = run(words...)
		}
		if got.want(t, 0); strings.Contains(got.out, "(cached)") {
			t.Errorf("%s: %s", args, got.out)
		}
	}
	t.Setenv(seedEnv, "7")
	if got = run("./a"); !strings.Contains(got.out, "(cached)") {
		t.Errorf("the seed of the flag is that of the environment: %s", got.out)
	}
	os.Unsetenv(seedEnv)
	for range 2 { // and a failure each time
		if got = run("./failing"); strings.Contains(got.out, "(cached)") {
			t.Error(got.out)
		}
		got.want(t, 1)
	}
	t.Setenv("ROUSE_RESULTS", "here")
	if got = run("./a"); !strings.Contains(got.errs, `$ROUSE_RESULTS: found "here", want an absolute path, or off`) {
		t.Error(got.errs)
	}
	got.want(t, 2)
}
