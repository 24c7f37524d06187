package report

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/fixture"
)

func TestCheckOut(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "file"), "")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before := fixture.Tree(t, dir)
	for path, want := range map[string]string{
		"":                "",
		"new":             "",
		"new/and/deep":    "",
		"file":            dir + "/file: not a folder",
		"file/below":      dir + "/file/below: not a directory",
		"link":            dir + "/link: a symbolic link that leads nowhere",
		"link/below/more": dir + "/link: a symbolic link that leads nowhere",
	} {
		got := ""
		if err := CheckOut(filepath.Join(dir, path)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if err := CheckOut(""); err == nil {
		t.Error("an empty name was accepted")
	}
	if after := fixture.Tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("the disk has changed from %q to %q", before, after)
	}
}

func TestFileReplacesWhenClosed(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "report"), filepath.Join(dir, "link")
	fixture.Write(t, path, "old")
	if err := os.Symlink("report", link); err != nil {
		t.Fatal(err)
	}
	f, err := CreateFile(link)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "old" {
		t.Errorf("before Close the file has %q", text)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "new" {
		t.Errorf("after Close the file has %q", text)
	}
	if got := fixture.Tree(t, dir); !slices.Equal(got, []string{"", "/link", "/report"}) {
		t.Errorf("left %q", got)
	}
	if target, err := os.Readlink(link); err != nil || target != "report" {
		t.Errorf("the link has become %q, %v", target, err)
	}
}

// A device is written to directly, and Close returns what went wrong.
func TestFileOfADevice(t *testing.T) {
	for _, fails := range []bool{false, true} {
		f, err := CreateFile(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		if fails {
			f.direct.Close() // makes writing fail
		}
		f.Write([]byte("new"))
		if err := f.Close(); (err != nil) != fails {
			t.Errorf("a write fails: %v, and Close returns %v", fails, err)
		}
	}
}

func TestCreateFileRefused(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, filepath.Join(dir, "file"), "")
	before := fixture.Tree(t, dir)
	for path, want := range map[string]string{
		dir:                  dir + ": a folder, want a file",
		dir + "/none/report": dir + "/none/report: no such file or directory",
		dir + "/file/report": dir + "/file/report: not a directory",
		"":                   "the name of the file is empty",
	} {
		if _, err := CreateFile(path); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if after := fixture.Tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("the disk has changed from %q to %q", before, after)
	}
}

// Catches: what a killed process leaves beside a report for ever, and a report that another process is writing and that
// is taken for that.
func TestSweepsWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.json")
	left := filepath.Join(dir, ".r.json.123.tmp")
	another := filepath.Join(dir, ".another.json.123.tmp")
	for _, name := range []string{left, another} {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first, err := CreateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := CreateFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*File{second, first} {
		if _, err := f.Write([]byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	var names []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{".another.json.123.tmp", "r.json"}) {
		t.Errorf("left %q", names)
	}
}
