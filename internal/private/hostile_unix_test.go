//go:build unix

package private

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestFolderOfOthers: a folder that another user can have prepared is not used, the next place is,
// and in neither is anything changed.
func TestFolderOfOthers(t *testing.T) {
	prepare := map[string]func(path, target string) error{
		"a link to a folder of ours": func(path, target string) error { return os.Symlink(target, path) },
		"a relative link":            func(path, _ string) error { return os.Symlink("../target", path) },
		"a link to a sibling folder": func(path, _ string) error {
			sibling := filepath.Join(filepath.Dir(path), "sibling")
			return errors.Join(mkdir(sibling, 0o700), os.Symlink("sibling", path))
		},
		"all may write":         func(path, _ string) error { return mkdir(path, 0o777) },
		"all may write, sticky": func(path, _ string) error { return mkdir(path, 0o777|os.ModeSticky) },
		"the group may read":    func(path, _ string) error { return mkdir(path, 0o740) },
		"a file":                func(path, _ string) error { return os.WriteFile(path, nil, 0o600) },
	}
	for name, prepare := range prepare {
		t.Run(name, func(t *testing.T) {
			cache, temporary := places(t)
			if err := os.MkdirAll(cache, 0o700); err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(cache, "..", "target")
			if err := os.Mkdir(target, 0o700); err != nil {
				t.Fatal(err)
			}
			first := filepath.Join(cache, "rouse")
			if err := prepare(first, target); err != nil {
				t.Fatal(err)
			}
			second := filepath.Join(temporary, "rouse-"+strconv.Itoa(os.Getuid()))
			if path, err := put(t); err != nil || !strings.HasPrefix(path, second) {
				t.Errorf("it is in %s: %v", path, err)
			}
			if err := os.RemoveAll(second); err != nil {
				t.Fatal(err)
			}
			if err := prepare(second, target); err != nil {
				t.Fatal(err)
			}
			if path, err := put(t); err == nil {
				t.Errorf("it is in %s", path)
			}
			for _, dir := range []string{first, second, target, filepath.Join(cache, "sibling"), filepath.Join(temporary, "sibling")} {
				if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
					t.Errorf("%s has %v", dir, entries)
				}
			}
		})
	}
}

func mkdir(path string, mode os.FileMode) error {
	if err := os.Mkdir(path, 0o700); err != nil {
		return err
	}
	return os.Chmod(path, mode)
}

// TestFolderOfAnotherOwner: root sees that a folder is another user's. Other users cannot make one.
func TestFolderOfAnotherOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		info, err := os.Stat("/")
		if err != nil {
			t.Fatal(err)
		}
		if owned(info) {
			t.Error("/ is taken for a folder of this user")
		}
		return
	}
	cache, _ := places(t)
	if err := os.MkdirAll(filepath.Join(cache, "rouse"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(cache, "rouse"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if path, err := put(t); err != nil || strings.HasPrefix(path, cache) {
		t.Errorf("it is in %s: %v", path, err)
	}
}
