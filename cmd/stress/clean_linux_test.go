package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/internal/private"
)

// Catches: a cache that stays, one that is taken from a command that runs, and folders that are not ours.
func TestClean(t *testing.T) {
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	home, tmp := t.TempDir(), t.TempDir()
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("TMPDIR", tmp)
	cache := filepath.Join(home, "rouse", "goroot")
	results := filepath.Join(cache, "results")
	if err := os.MkdirAll(results, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, results, "x.json", "")
	key := "-" + strings.Repeat("0a", 10)
	paths := []string{
		filepath.Join(cache, "go1.26.1"+key), filepath.Join(cache, "toolchains", "go1.26.1"+key), filepath.Join(tmp, "stress-suite-1"), filepath.Join(tmp, "stress-debug-1"),
		filepath.Join(cache, "go1.26.2"+key), filepath.Join(cache, "mine"), filepath.Join(tmp, "mine"), filepath.Join(cache, "tmp-1"),
	}
	for _, p := range paths {
		if err := os.MkdirAll(p, 0o777); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if err := os.Chtimes(p, now, now); err != nil {
			t.Fatal(err)
		}
	}
	used, err := os.Open(paths[4]) // as a command that runs
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	if err := private.Share(used); err != nil {
		t.Fatal(err)
	}
	got := in(t, home, plainBinary, "clean")
	got.want(t, 0)
	if want := "3 folders removed from " + cache; !strings.HasPrefix(got.out, want) || !strings.Contains(got.out, "2 folders in use\n") {
		t.Errorf("%s%s, want %s", got.out, got.errs, want)
	}
	for i, p := range paths {
		if _, err := os.Stat(p); (err == nil) != (i >= 4) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := os.Stat(results); err == nil {
		t.Error("the results are left")
	}
	in(t, home, plainBinary, "clean", "all").want(t, 2)
}
