package goroot

import (
	"flag"
	"fmt"
	"os"
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
		_, sum, err := patched(e.GOROOT, e.GOVERSION, patchesFor(e.minor()))
		if err != nil {
			t.Fatal(err)
		}
		line := e.GOVERSION + " " + sum
		switch {
		case *update:
			lines = append(slices.DeleteFunc(lines, func(l string) bool { return l == "" || strings.HasPrefix(l, e.GOVERSION+" ") }), line)
		case !slices.Contains(lines, line):
			t.Errorf("releases.txt has no %q: %s", line, unverified(e.GOVERSION, sum))
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
	for _, test := range [][3]string{
		{"go1.26.8", "aa", ""},
		{"go1.26.8", "bb", "go1.26.8 has been modified"},
		{"go1.27.5", "bb", "go1.27.5 is a release that this rouse has not been tried with"},
		{"go1.28.0", "bb", "go1.28.0 is newer than this rouse"},
		{"go1.28rc1", "bb", "go1.28rc1 is newer than this rouse"},
		{"go1.26.8 X:nodwarf5", "aa", "go1.26.8 X:nodwarf5 is no release"},
		{"devel go1.28-4ac3a6b Mon", "aa", "devel go1.28-4ac3a6b Mon is no release"},
	} {
		if got := unverified(test[0], test[1]); got != test[2] {
			t.Errorf("%q: %q", test, got)
		}
	}
}
