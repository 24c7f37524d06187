package suite

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// cachedFiles are those of a module whose tests ask package os for much.
var cachedFiles = map[string]string{
	"go.mod": "module example.com/asks\n\ngo 1.25\n",
	"asks.go": `package asks

import "os"

var Initial = os.Getenv("AT_INIT")
`,
	"asks_test.go": `package asks

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMain(m *testing.M) {
	os.ReadFile("testdata/main")
	os.Exit(m.Run())
}

func TestAsks(t *testing.T) {
	done := make(chan bool)
	go func() {
		os.LookupEnv("IN_GOROUTINE")
		done <- true
	}()
	<-done
	os.ReadFile("testdata/read")
	os.Stat("testdata/stat")
	os.ReadDir("testdata/list")
	os.WriteFile(filepath.Join(t.TempDir(), "x"), nil, 0o600)
	root, err := os.OpenRoot("testdata/root")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	root.ReadFile("in")
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	os.ReadFile(filepath.Join(dir, "absolute"))
	t.Chdir("testdata/deep")
	os.ReadFile("file")
}

func FuzzAsks(f *testing.F) { f.Fuzz(func(t *testing.T, b bool) {}) }
`,
	"testdata/main": "text", "testdata/read": "text", "testdata/stat": "text", "testdata/list/x": "text", "testdata/deep/file": "text", "testdata/root/in": "text",
	"testdata/absolute": "text", "testdata/other": "text", "testdata/fuzz/FuzzAsks/x": "go test fuzz v1\nbool(true)\n",
}

// ageAll gives all below a folder an old time.
func ageAll(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		age(t, path, long)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Catches: something that tests ask package os for, that changes, and the old result is reported.
func TestCachedInputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, cachedFiles)
	ageAll(t, dir)
	o := real(t, dir, ".")
	o.Executions, o.Cache = 20, &Cache{Dir: filepath.Join(t.TempDir(), "results")}
	r, _ := wasCached(t, o)
	if r.Failed()+r.Broken() > 0 || len(r.Tests) != 2 {
		t.Fatalf("%+v", r)
	}
	if _, cached := wasCached(t, o); !cached {
		t.Fatal("not cached")
	}
	changes := map[string]func(){"AT_INIT": func() { t.Setenv("AT_INIT", "x") }, "IN_GOROUTINE": func() { t.Setenv("IN_GOROUTINE", "") }}
	for _, name := range []string{"main", "read", "stat", "absolute", "list/x", "list/new", "deep/file", "root/in", "fuzz/FuzzAsks/x", "fuzz/FuzzAsks/y"} {
		changes[name] = func() {
			text := "other text"
			if filepath.Dir(filepath.Dir(name)) == "fuzz" {
				text = "go test fuzz v1\nbool(false)\n"
			}
			write(t, dir, map[string]string{"testdata/" + name: text})
		}
	}
	for name, change := range changes {
		change()
		ageAll(t, dir)
		if _, cached := wasCached(t, o); cached {
			t.Errorf("%s: cached", name)
		}
		if _, cached := wasCached(t, o); !cached {
			t.Errorf("%s: not cached afterwards", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "testdata", "other"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, cached := wasCached(t, o); !cached {
		t.Error("nothing asks for that file")
	}
}

// Catches: a result that is kept though a process has asked for more than is noted, and one that is not kept because of
// temporary files, which have ever new names.
func TestManyInputs(t *testing.T) {
	for name, kept := range map[string]bool{"TestVariables": false, "TestTemporary": true} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			"go.mod": "module example.com/many\n\ngo 1.25\n",
			"many_test.go": `package many

import (
	"fmt"
	"os"
	"testing"
)

func TestVariables(t *testing.T) {
	for i := range 9000 {
		os.Getenv(fmt.Sprint("VARIABLE", i))
	}
}

func TestTemporary(t *testing.T) {
	dir := t.TempDir()
	for i := range 9000 {
		os.Stat(fmt.Sprint(dir, "/", i))
	}
}
`,
		})
		ageAll(t, dir)
		o := real(t, dir, ".")
		o.Run, o.Executions, o.Cache = name, 2, &Cache{Dir: filepath.Join(t.TempDir(), "results")}
		wasCached(t, o)
		if _, cached := wasCached(t, o); cached != kept {
			t.Errorf("%s: cached: %v", name, cached)
		}
	}
}
