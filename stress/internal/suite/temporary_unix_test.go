//go:build unix

package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// TestRemoveMade: a test can write into the list what it wants, or a file that looks like one, and the folders that are
// removed are those which package testing makes, wherever the test has them made.
func TestRemoveMade(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tmp, dead := filepath.Join(root, "tmp"), filepath.Join(root, "dead")
	for _, name := range []string{"GOTMPDIR", "TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(root, "link", "own"))
	}
	others := []string{"mine", "stress-suite-4", "TestimonyOfUser", "Testimony1/of", "../real/TestM12", "TestO14", "../real/TestP15"}
	made := []string{"TestA1", "FuzzB2", "mine/TestC3", "../TestD5", "../real/own/TestL11"}
	list := make([]byte, wire.MadeAt)
	add := func(name string) { list = append(append(list, name...), 0) }
	for _, name := range append(append([]string{".", "..", "../..", "TestA1/.."}, others...), made...) {
		if err := os.MkdirAll(filepath.Join(tmp, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "../real") || name == "TestO14" {
			continue
		}
		add(tmp + "/" + name) // not cleaned
	}
	for link, to := range map[string]string{"link": "real", "tmp/TestLink16": "real/TestP15"} {
		if err := os.Symlink(filepath.Join(root, to), filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	add(root + "/link/own/TestL11")
	add(root + "/link/TestM12")
	add(tmp + "/TestLink16")
	add("TestE6")
	add("tmp/TestA1")
	list = append(list, make([]byte, wire.NumberSize-len(list))...)
	forged := append(append(make([]byte, wire.MadeAt), tmp+"/TestO14"...), make([]byte, wire.NumberSize)...)
	if err := os.MkdirAll(filepath.Join(dead, "a.test"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		wire.NumberPrefix + "1": list, wire.NumberPrefix + "s": forged[:wire.NumberSize], wire.NumberPrefix: forged[:wire.NumberSize],
		wire.NumberPrefix + "2": forged[:wire.NumberSize-1],
	} {
		if err := os.WriteFile(filepath.Join(dead, "a.test", name), text, 0o600); err != nil {
			t.Fatal(err)
		}
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
