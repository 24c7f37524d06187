package goroot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: a cache whose size is that of something else.
func TestCaches(t *testing.T) {
	cache := t.TempDir()
	key := "-" + strings.Repeat("0a", 10)
	for name, size := range map[string]int{
		"go1.26.1" + key + "/x": 10, "devel go1.28-4ac3a6b" + key + "/deep/x": 20, "toolchains/go1.26.1" + key + "/x": 300, "tmp-12/x": 4000, "mine/x": 50000,
	} {
		path := filepath.Join(cache, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Caches(t.Context(), Options{Cache: cache})
	if want := (Usage{cache, 2, 1, 54330}); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if missing := filepath.Join(cache, "missing"); entries(missing) != 0 || Size(missing) != 0 {
		t.Error("a folder that is missing has entries")
	}
}
