package goroot

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Catches: a module below the name of a folder of the standard library that gets the compiler flags of that.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	names := []string{"log", "net", "time"}
	mod := write("go.mod", "module net/mine\n\ngo 1.24\n\nrequire (\n\tlog/theirs v1.0.0\n\texample.com/net v1.0.0\n)\n\nreplace log/theirs => ../x\n")
	other := write("b/other.mod", "module other/net\n\nreplace time/old => ../x\n")
	work := write("go.work", "go 1.24\n\nuse (\n\t.\n\t./b\n)\n\nreplace net/late => ./c\n")
	write("b/go.mod", "module log/b\n")
	broken := write("broken.mod", "modul")
	for _, test := range []struct {
		mod, work, flag string
		want            []string
	}{
		{mod, "", "", []string{"log/theirs", "net/mine"}},
		{mod, "", "b/other.mod", []string{"time/old"}},
		{mod, "off", other, []string{"time/old"}},
		{mod, work, "", []string{"log/b", "log/theirs", "net/late", "net/mine"}},
		{mod, broken, "", nil},
		{broken, "", "", nil},
		{filepath.Join(dir, "none.mod"), "", "", nil},
		{"", "", "", nil},
	} {
		e := &env{GOMOD: test.mod, GOWORK: test.work}
		if got := e.modules(names, dir, test.flag); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// Catches: a folder of the standard library that is missing in the patterns, and the commands in them.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"cmd", "net/http", "testdata", "vendor"} {
		if err := os.MkdirAll(filepath.Join(root, "src", filepath.FromSlash(name)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if got := folders(root); !slices.Equal(got, []string{"net", "vendor"}) {
		t.Errorf("%q", got)
	}
}
