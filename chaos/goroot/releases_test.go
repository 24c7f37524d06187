package goroot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "TestReleases adds the installed Go, and those of $ROUSE_TOOLCHAINS, to releases.txt")

// The installed Go is a release that has been tried, and so are those of $ROUSE_TOOLCHAINS.
func TestReleases(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(releases), "\n")
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "local") {
		t.Setenv("GOTOOLCHAIN", toolchain)
		e, err := environment(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := sourceSum(e.GOROOT)
		if err != nil {
			t.Fatal(err)
		}
		line := e.GOVERSION + " " + sum
		switch {
		case *update:
			lines = append(slices.DeleteFunc(lines, func(l string) bool { return l == "" || strings.HasPrefix(l, e.GOVERSION+" ") }), line)
		case !slices.Contains(lines, line):
			t.Errorf("releases.txt has no %q: %s", line, unverified(e.GOVERSION, sum, ""))
		}
	}
	if *update {
		slices.SortFunc(lines, func(a, b string) int { return compareReleases(a, b) })
		if err := os.WriteFile("releases.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compareReleases orders lines of releases.txt.
func compareReleases(a, b string) int {
	var x, y [3]int
	fmt.Sscanf(a, "go%d.%d.%d", &x[0], &x[1], &x[2]) //nolint:errcheck // it is not the only test of that
	fmt.Sscanf(b, "go%d.%d.%d", &y[0], &y[1], &y[2]) //nolint:errcheck // likewise
	return slices.Compare(x[:], y[:])
}

// Catches: a Go that nobody has tried, and is taken for one that has been.
func TestUnverified(t *testing.T) {
	was := releases
	defer func() { releases = was }()
	releases = "go1.26.8 aa\ngo1.27.4 bb\n"
	for _, test := range []struct{ version, sum, experiment, want string }{
		{"go1.26.8", "aa", "", ""},
		{"go1.26.8", "bb", "", "go1.26.8 has been modified"},
		{"go1.26.8", "aa", "nogreenteagc", "go1.26.8 has GOEXPERIMENT=nogreenteagc"},
		{"go1.26.8", "bb", "nogreenteagc", "go1.26.8 has been modified"},
		{"go1.27.5", "bb", "", "go1.27.5 is a release that this rouse has not been tried with"},
		{"go1.28.0", "bb", "", "go1.28.0 is newer than this rouse"},
		{"go1.28rc1", "bb", "", "go1.28rc1 is newer than this rouse"},
		{"go1.26.8 X:nodwarf5", "aa", "nodwarf5", "go1.26.8 X:nodwarf5 is no release"},
		{"devel go1.28-4ac3a6b Mon", "aa", "", "devel go1.28-4ac3a6b Mon is no release"},
	} {
		if got := unverified(test.version, test.sum, test.experiment); got != test.want {
			t.Errorf("%q: %q", test, got)
		}
	}
}

// Catches: a change of a file that programs are made of, and that no patch changes, after which the Go is taken for what
// it was, and what tests of it have shown is still believed; one of any other file that makes an overlay again.
func TestSourcesAreKnown(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	keys := func(experiment string) [2]string {
		t.Helper()
		sum, err := sourceSum(root)
		if err != nil {
			t.Fatal(err)
		}
		key, err := stamp(root, "go1.26.8", experiment, nil)
		if err != nil {
			t.Fatal(err)
		}
		return [2]string{sum, key}
	}
	write("VERSION", "go1.26.8")
	write("src/time/sleep.go", "package time")
	write("src/runtime/race/race.syso", "x")
	was := keys("")
	for _, name := range []string{"src/time/sleep_test.go", "src/time/README", "src/time/testdata/x.go", "src/cmd/go/main.go", "pkg/x.go"} {
		write(name, "package x")
		if now := keys(""); now != was {
			t.Errorf("%s: %q, was %q", name, now, was)
		}
	}
	for _, name := range []string{"src/time/sleep.go", "src/time/more.go", "src/runtime/race/race.syso", "src/runtime/asm.s"} {
		write(name, "package y")
		now := keys("")
		if now[0] == was[0] || now[1] == was[1] {
			t.Errorf("%s: %q, was %q", name, now, was)
		}
		was = now
	}
	if now := keys("nogreenteagc"); now[0] != was[0] || now[1] == was[1] {
		t.Errorf("with an experiment: %q, was %q", now, was)
	}
}
