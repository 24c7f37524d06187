package suite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// TestRemoveMade: a test can write into the list what it wants, and the folders that are removed are those which
// package testing makes.
func TestRemoveMade(t *testing.T) {
	root := t.TempDir()
	tmp, dead := filepath.Join(root, "tmp"), filepath.Join(root, "dead")
	for _, name := range []string{"GOTMPDIR", "TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, tmp)
	}
	made := []string{"TestA1", "FuzzB2"}
	others := []string{"mine", "mine/TestC3", "stress-suite-4", "../TestD5"}
	list := make([]byte, wire.MadeAt)
	for _, name := range append(append([]string{".", "..", "../..", "TestA1/.."}, others...), made...) {
		if err := os.MkdirAll(filepath.Join(tmp, name), 0o700); err != nil {
			t.Fatal(err)
		}
		list = append(append(list, tmp+"/"+name...), 0) // not cleaned
	}
	list = append(append(list, "TestE6\x00tmp/TestA1\x00"...), 0)
	if err := os.MkdirAll(filepath.Join(dead, "a.test"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead, "a.test", wire.NumberPrefix+"1"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	removeMadeBelow(dead)
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(tmp, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range made {
		if _, err := os.Stat(filepath.Join(tmp, name)); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
}
