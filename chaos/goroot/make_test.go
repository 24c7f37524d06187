package goroot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeRoot copies what Make reads of the installed GOROOT to a folder, and makes it the GOROOT of
// the go command.
func fakeRoot(t *testing.T, root string) {
	t.Helper()
	e, err := environment(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree := &tree{src: filepath.Join(e.GOROOT, "src")}
	names := []string{"../VERSION", "testing/testing.go", "runtime/proc.go"}
	for _, p := range patchesFor(e.minor()) {
		names = append(names, p.File)
	}
	for _, pattern := range AtomicFiles {
		names = append(names, tree.match(pattern)...)
	}
	names = append(names, tree.linkFiles()...)
	for _, dir := range []string{"bin", "pkg/tool", "pkg/include"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		to := filepath.Join(root, "src", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := copyFile(filepath.Join(tree.src, name), to); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOROOT", root)
	t.Setenv("GOTOOLCHAIN", "local")
	t.Setenv("GOFLAGS", "")
}

// mustMake makes an overlay.
func mustMake(t *testing.T, o Options) *Overlay {
	t.Helper()
	made, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// replaced reads the table of an overlay and checks that all of its files are there.
func replaced(t *testing.T, o *Overlay) map[string]string {
	t.Helper()
	var r replacement
	text, err := os.ReadFile(o.File)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range r.Replace {
		if info, err := os.Stat(to); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", from, info, err)
		}
	}
	return r.Replace
}

// Catches: an overlay that lacks files, that is made again each time, or that is not made again when
// GOROOT changes or when the cache is torn; one in a folder that others can read.
func TestCache(t *testing.T) {
	root, cache := t.TempDir(), filepath.Join(t.TempDir(), "rouse", "goroot")
	fakeRoot(t, root)
	o := Options{Cache: cache, CompileOnly: true}
	first := mustMake(t, o)
	if info, err := os.Stat(filepath.Dir(cache)); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v: package private refuses a folder that others can read", info.Mode(), err)
	}
	table := replaced(t, first)
	for _, name := range []string{"runtime/proc.go", "runtime/rouse.go", "internal/rouse/chaos/control/doc.go", "sync/atomic/rouse.go"} {
		if table[filepath.Join(root, "src", name)] == "" {
			t.Errorf("%s is not in the overlay", name)
		}
	}
	for name := range table {
		if strings.Contains(filepath.ToSlash(name), "/hooked/") {
			t.Errorf("%s is for subjects that use package hooks, and in the overlay", name)
		}
	}
	victim := table[filepath.Join(root, "src", "runtime", "proc.go")]
	was, err := os.ReadFile(victim)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text []byte) {
		if err := os.WriteFile(victim, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	other := bytes.ToUpper(was)
	write(other)
	if again := mustMake(t, o); again.File != first.File {
		t.Errorf("%s, then %s", first.File, again.File)
	}
	if now, err := os.ReadFile(victim); err != nil || !bytes.Equal(now, other) {
		t.Errorf("the overlay was made twice (%v)", err)
	}
	for what, tear := range map[string]func(){
		"a file cut short": func() { write(was[:100]) },
		"a missing file":   func() { remove(t, victim) },
		"no manifest":      func() { remove(t, filepath.Join(filepath.Dir(first.File), manifestName)) },
	} {
		write(other)
		tear()
		if again := mustMake(t, o); again.File != first.File {
			t.Errorf("%s: %s, then %s", what, first.File, again.File)
		}
		if now, err := os.ReadFile(victim); err != nil || !bytes.Equal(now, was) {
			t.Errorf("%s: it stays (%v)", what, err)
		}
	}
	source := filepath.Join(root, "src", "runtime", "proc.go")
	if err := os.Chtimes(source, time.Time{}, time.Unix(1, 1)); err != nil {
		t.Fatal(err)
	}
	if again := mustMake(t, o); again.File == first.File {
		t.Error("a file of GOROOT has changed, and the overlay has not")
	}
}

// Catches: a file that is the same for two GOROOTs. The go command would take what it has compiled of it for one for the
// other, too, with the names of files of the first, which would be taken for the user's.
func TestRoots(t *testing.T) {
	cache := t.TempDir()
	table := func() (root string, files map[string]string) {
		root = t.TempDir()
		fakeRoot(t, root)
		return root, replaced(t, mustMake(t, Options{Cache: cache, CompileOnly: true}))
	}
	firstRoot, first := table()
	secondRoot, second := table()
	for name, file := range first {
		rel, err := filepath.Rel(firstRoot, name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := os.ReadFile(second[filepath.Join(secondRoot, rel)]); err != nil || bytes.Equal(text, other) {
			t.Errorf("%s: the same for both (%v)", rel, err)
		}
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// Catches: processes that make the same overlay at a time and see half of it.
func TestConcurrently(t *testing.T) {
	fakeRoot(t, t.TempDir())
	cache := t.TempDir()
	var wg sync.WaitGroup
	made := make([]*Overlay, 8)
	for i := range made {
		wg.Go(func() {
			var err error
			if made[i], err = Make(context.Background(), Options{Cache: cache, CompileOnly: true}); err != nil {
				t.Error(err)
			} else if !complete(filepath.Dir(made[i].File)) {
				t.Errorf("%s is not complete", made[i].File)
			}
		})
	}
	wg.Wait()
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want one entry", entries, err)
	}
}

// Catches: a cache that grows, and one that loses what is in use.
func TestRemoveOld(t *testing.T) {
	dir := t.TempDir()
	hour := func(name string, ago int) {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-time.Duration(ago) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	key := strings.Repeat("0a", 10)
	hour("go1.26.1-"+key, 100)
	hour("go1.26.2-"+key, 50)
	hour("go1.26.3-"+key, 30)
	hour("go1.26.4-"+key, 1)
	hour("tmp-123", 99)
	hour("tmp-124", 0)
	hour("mine", 1000)
	hour("go1.26.5-"+key, 2000)
	if !use(filepath.Join(dir, "go1.26.5-"+key)) {
		t.Error("it cannot be used")
	}
	hour2 := time.Now().Add(-2000 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "go1.26.5-"+key), hour2, hour2); err != nil {
		t.Fatal(err)
	}
	if removed, inUse := removeOld(dir, 3); removed != 3 || inUse != 1 {
		t.Errorf("%d are removed, and %d in use", removed, inUse)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"go1.26.3-" + key, "go1.26.4-" + key, "go1.26.5-" + key, "mine", "tmp-124"}; !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}

// Catches: a GOROOT in which an anchor is not as it was, and is taken nevertheless.
func TestModifiedRoot(t *testing.T) {
	root := t.TempDir()
	fakeRoot(t, root)
	name := filepath.Join(root, "src", "runtime", "proc.go")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte("\tgp.waitreason = reason\n"), []byte("\tgp.waitreason = why\n"), 1)
	if err := os.WriteFile(name, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(root, "src", "sync", "pool.go"))
	_, err = Make(t.Context(), Options{Cache: t.TempDir(), CompileOnly: true})
	var anchors *AnchorError
	if !errors.As(err, &anchors) || !Refused(err) {
		t.Fatalf("%v, want an AnchorError", err)
	}
	want := []string{`runtime/proc.go: func gopark(: 0 times "gp.waitreason = reason", want 1`, filepath.Join("sync", "pool.go")}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v\nwant %s", err, w)
		}
	}
	if len(anchors.Missing) != len(want) {
		t.Errorf("%q, want %d", anchors.Missing, len(want))
	}
}

// Catches: an error that does not say what the go command has said.
func TestNoGo(t *testing.T) {
	_, err := Make(t.Context(), Options{Go: filepath.Join(t.TempDir(), "nothing")})
	if err == nil || Refused(err) || !strings.Contains(err.Error(), "nothing env: ") || strings.HasSuffix(err.Error(), "\n") {
		t.Errorf("without a go command: %q", err)
	}
	t.Setenv("GOTOOLCHAIN", "nonsense")
	if _, err = Make(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), `invalid GOTOOLCHAIN "nonsense"`) {
		t.Errorf("a toolchain that there is not: %q", err)
	}
}

// Catches: a Go that there are no patches for, and a GOROOT of another Go than the command, or without sources.
func TestCheck(t *testing.T) {
	source := func(root string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, "src", "runtime"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "src", "runtime", "proc.go"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root := t.TempDir()
	source(root)
	if err := os.WriteFile(filepath.Join(root, "VERSION"), []byte("go1.26.1\ntime 2026-03-01T00:00:00Z\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"go1.26.1":             "",
		"go1.26.1 X:nodwarf5":  "",
		"go1.26.1-X:nodwarf5":  "",
		"go1.26.12":            "is not that of go1.26.12: its VERSION is go1.26.1",
		"go1.26":               "is not that of go1.26: ",
		"go1.24.9":             "go1.24.9 (" + root + ") is not supported: want Go 1.26 or newer",
		"gone":                 "is not supported",
		"devel +4ac3a6b":       "is not supported",
		"go1.28rc1":            "is not that of go1.28rc1: ",
		"devel go1.28-4ac3a6b": "is not that of devel go1.28-4ac3a6b: ",
	} {
		err := (&env{GOROOT: root, GOVERSION: version}).check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !Refused(err)) {
			t.Errorf("%s: %v, want %q", version, err, want)
		}
	}
	checkout := t.TempDir()
	source(checkout)
	if err := os.WriteFile(filepath.Join(checkout, "VERSION.cache"), []byte("devel go1.28-4ac3a6b Mon"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := (&env{GOROOT: checkout, GOVERSION: "devel go1.28-4ac3a6b Mon"}).check(); err != nil {
		t.Errorf("a checkout: %v", err)
	}
	if err := (&env{GOROOT: root, GOVERSION: "go1.26.1", GOEXPERIMENT: "x,noswissmap"}).check(); !Refused(err) {
		t.Errorf("noswissmap: %v", err)
	}
	if err := (&env{GOROOT: t.TempDir(), GOVERSION: "go1.26.1"}).check(); !Refused(err) {
		t.Errorf("no VERSION: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(root, "src")); err != nil {
		t.Fatal(err)
	}
	if err := (&env{GOROOT: root, GOVERSION: "go1.26.1"}).check(); !Refused(err) || !strings.HasPrefix(err.Error(), "GOROOT="+root+" has no sources of the standard library") || strings.Contains(err.Error(), "\n") {
		t.Errorf("no sources: %v", err)
	}
}

// Catches: a folder that cannot be written, and ends what another folder could do.
func TestUnwritableCache(t *testing.T) {
	fakeRoot(t, t.TempDir())
	file := filepath.Join(t.TempDir(), "file") // root may write anywhere, but not below a file
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Make(t.Context(), Options{Cache: filepath.Join(file, "cache"), CompileOnly: true})
	if err == nil || Refused(err) || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, want an error that names %s", err, file)
	}
	gocache := t.TempDir()
	t.Setenv("GOCACHE", gocache)
	for _, v := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(v, file)
	}
	if made := mustMake(t, Options{CompileOnly: true}); !strings.HasPrefix(made.File, gocache) {
		t.Errorf("%s, want a file below %s", made.File, gocache)
	}
}

// Catches: a platform on which nothing can run, and Make makes an overlay for it.
func TestPlatforms(t *testing.T) {
	fakeRoot(t, t.TempDir())
	cache := t.TempDir()
	refused := func(platform string, err error) {
		var p *PlatformError
		if !errors.As(err, &p) || p.GOOS+"/"+p.GOARCH != platform || !strings.Contains(err.Error(), platform) || !Refused(err) {
			t.Errorf("%s: %v, want a PlatformError", platform, err)
		}
	}
	for platform, want := range map[string]string{
		"linux/amd64": "", "linux/arm64": "", "darwin/arm64": "has not been tested",
		"windows/amd64": "error", "linux/386": "error", "js/wasm": "error",
	} {
		goos, goarch, _ := strings.Cut(platform, "/")
		note, err := Supported(goos, goarch)
		o := Options{Cache: cache, GOOS: goos, GOARCH: goarch}
		switch made, failed := Make(t.Context(), o); {
		case want == "error":
			refused(platform, err)
			refused(platform, failed)
		case err != nil || !strings.Contains(note, want) || want == "" && note != "":
			t.Errorf("%s: %q, %v, want %q", platform, note, err, want)
		case goos != runtime.GOOS:
			refused(platform, failed)
		case failed != nil || made.GOOS != goos || made.GOARCH != goarch || made.Note != note:
			t.Errorf("%s: %+v, %v", platform, made, failed)
		}
		o.CompileOnly = true
		if made := mustMake(t, o); made.GOOS != goos || made.Note != "" {
			t.Errorf("%s: to compile: %+v", platform, made)
		}
	}
}

// Catches: a cache whose size is that of something else.
func TestCaches(t *testing.T) {
	cache := t.TempDir()
	key := "-" + strings.Repeat("0a", 10)
	for name, size := range map[string]int{
		"go1.26.1" + key + "/x": 10, "devel go1.28-4ac3a6b" + key + "/deep/x": 20, "toolchains/go1.26.1" + key + "/x": 300, "tmp-12/x": 4000, "mine/x": 50000, "results/x.json": 600000,
	} {
		path := filepath.Join(cache, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Caches(t.Context(), Options{Cache: cache})
	if want := (Usage{cache, 2, 1, 1, 654330}); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if missing := filepath.Join(cache, "missing"); entries(missing) != 0 || Size(missing) != 0 {
		t.Error("a folder that is missing has entries")
	}
}
