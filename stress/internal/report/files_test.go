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
