package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files lists what is in the working folder, with the content of files.
func files(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		all[path] = "folder"
		if !d.IsDir() {
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func check(t *testing.T, want map[string]string) {
	t.Helper()
	got := files(t)
	for name, text := range got {
		if w, ok := want[name]; !ok || w != text {
			t.Errorf("found %s with %q, want %q", name, text, w)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, text := range []string{"old", "new"} {
		if err := Write("a/b/file", []byte(text)); err != nil {
			t.Fatal(err)
		}
		check(t, map[string]string{"a": "folder", "a/b": "folder", "a/b/file": text})
	}
	if info, err := os.Stat("a/b/file"); err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v, want mode 0644", info.Mode(), err)
	}
}

func TestWriteNew(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := WriteNew("file", []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := WriteNew("file", []byte("new")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("found %v, want fs.ErrExist", err)
	}
	check(t, map[string]string{"file": "old"})
}

func TestWriteNumbered(t *testing.T) {
	t.Chdir(t.TempDir())
	var paths []string
	for _, text := range []string{"1", "2", "3"} {
		path, err := WriteNumbered("d/file", ".txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if want := []string{"d/file.txt", "d/file-2.txt", "d/file-3.txt"}; !slices.Equal(paths, want) {
		t.Errorf("%q, want %q", paths, want)
	}
	check(t, map[string]string{"d": "folder", "d/file.txt": "1", "d/file-2.txt": "2", "d/file-3.txt": "3"})
}

// A write that fails leaves the disk as it was, folders included.
func TestFailedWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("folder/inside", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := files(t)
	f, err := Create("file")
	if err != nil {
		t.Fatal(err)
	}
	f.tmp.Close() // makes writing fail
	f.Write([]byte("new"))
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit returns %v", err)
	}
	check(t, before)
	for _, path := range []string{"folder", "file/below", "new/deep/\x00"} {
		if err := Write(path, []byte("new")); err == nil {
			t.Errorf("%q was written", path)
		}
		check(t, before)
	}
}

func TestDiscard(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := Create("file")
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("new"))
	f.Discard()
	check(t, nil)
}

func TestRemoveStale(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"file", "other"} { // as left by a killed process
		if _, err := Create(name); err != nil {
			t.Fatal(err)
		}
	}
	RemoveStale("file")
	left, _ := filepath.Glob(".*.tmp")
	if len(left) != 1 || left[0][:7] != ".other." {
		t.Errorf("left %q, want the one of other", left)
	}
}
