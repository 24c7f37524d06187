package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// places gives the user folders of its own, and returns them.
func places(t *testing.T) (cache, temporary string) {
	t.Helper()
	home := t.TempDir()
	temporary = filepath.Join(home, "tmp")
	cache = filepath.Join(home, "cache")
	for _, dir := range []string{cache, temporary} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("LocalAppData", cache)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		cache = filepath.Join(home, "Library", "Caches")
	}
	return cache, temporary
}

// put makes a file in what Folder opens, and returns where the file is then.
func put(t *testing.T) (path string, err error) {
	t.Helper()
	root, err := Folder("things")
	if err != nil {
		return "", err
	}
	defer root.Close()
	f, name, err := Create(root, "thing")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	return filepath.Join(root.Name(), name), nil
}

func TestFolderIsMade(t *testing.T) {
	cache, _ := places(t)
	for range 2 {
		path, err := put(t)
		if err != nil || !strings.HasPrefix(path, filepath.Join(cache, "rouse", "things", "thing-")) {
			t.Errorf("it is in %s: %v", path, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestFolderWithoutHome: as in a sandbox.
func TestFolderWithoutHome(t *testing.T) {
	_, temporary := places(t)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	if path, err := put(t); err != nil || !strings.HasPrefix(path, filepath.Join(temporary, "rouse-")) {
		t.Errorf("it is in %s: %v", path, err)
	}
}

// TestCreateIsAlone: two files of one prefix are two, and a link is not followed.
func TestCreateIsAlone(t *testing.T) {
	places(t)
	root, err := Folder("things")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	one, first, err := Create(root, "p")
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, second, err := Create(root, "p")
	if err != nil || first == second {
		t.Fatalf("%s, %s: %v", first, second, err)
	}
	if _, err := Take(root, first); !errors.Is(err, ErrHeld) {
		t.Errorf("a file that is held is taken: %v", err)
	}
	two.Close()
	f, err := Take(root, second)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Take(root, "nothing"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
