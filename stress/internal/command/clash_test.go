package command

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDistinct(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{
		os.WriteFile("in", nil, 0o600), os.Mkdir("dir", 0o700), os.Symlink("in", "soft"), os.Symlink("dir", "folder"), os.Link("in", "hard"), os.Symlink("none", "dangling"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	whole, err := filepath.Abs("new")
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range [][2]string{
		{"in", "in"}, {"in", "./in"}, {"in", "soft"}, {"hard", "in"}, {"soft", "hard"}, {"in", "dir/../in"}, {"new", "./new"}, {"new", whole},
		{"dir/new", "folder/new"}, {"no/such/x", "no/../no/such/x"}, {"folder/no/x", "dir/no/x"},
	} {
		a, b := namedFile{"--a", same[0]}, namedFile{"--b", same[1]}
		for _, pair := range [][2]namedFile{{a, b}, {b, a}} {
			if err := distinct([]namedFile{pair[0]}, []namedFile{pair[1]}); err == nil || err.Error() != "exit code 2: "+pair[1].as+": "+pair[0].as+" is the same file, which is read: want another" {
				t.Errorf("%s read, %s written: %v", pair[0].path, pair[1].path, err)
			}
			if err := distinct(nil, []namedFile{pair[0], pair[1]}); err == nil || err.Error() != "exit code 2: "+pair[1].as+": "+pair[0].as+" writes the same file, want another" {
				t.Errorf("%s and %s written: %v", pair[0].path, pair[1].path, err)
			}
		}
	}
	for _, other := range [][2]string{{"in", "new"}, {"new", "dir/new"}, {os.DevNull, os.DevNull}, {"in", "dir"}, {"none", "in"}} {
		a, b := namedFile{"--a", other[0]}, namedFile{"--b", other[1]}
		if err := distinct([]namedFile{a}, []namedFile{b}); err != nil {
			t.Errorf("%s and %s: %v", other[0], other[1], err)
		}
	}
	if err := distinct([]namedFile{{"--a", "in"}, {"--b", "in"}}, nil); err != nil {
		t.Errorf("read twice: %v", err)
	}
}
