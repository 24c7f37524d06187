package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// long is a time before which files of these tests were made.
const long = -time.Hour

// age gives a file or folder an old time.
func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(by)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// cachedFakes are options for fake workers with a cache. The package has a folder testdata with a file.
func cachedFakes(t *testing.T, script string) (o Options, dir string) {
	t.Helper()
	o = fakes(t, script)
	dir = folder(t, &o)
	write(t, dir, map[string]string{"testdata/file": "text"})
	for _, name := range []string{"testdata/file", "testdata", "."} {
		age(t, filepath.Join(dir, name), long)
	}
	o.listed = func(context.Context) ([]*listed, error) {
		return []*listed{{ImportPath: fakePackage, Dir: dir, TestGoFiles: []string{"fake_test.go"}, Module: &module{Path: fakePackage, Main: true, Dir: dir}}}, nil
	}
	o.Packages, o.Executions, o.Memory = []string{"."}, 300, -1
	o.Cache = &Cache{Dir: filepath.Join(t.TempDir(), "results")}
	return o, dir
}

// wasCached runs the tests, and reports whether all results are those of an earlier run.
func wasCached(t *testing.T, o Options) (report.SuiteReport, bool) {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	n := r.Cached()
	if n != 0 && n != len(r.Tests) {
		t.Errorf("%d of %d tests are cached", n, len(r.Tests))
	}
	return r, n > 0
}

// Catches: a package that is tested again though nothing has changed; figures that are not those of the run that
// passed.
func TestCached(t *testing.T) {
	o, _ := cachedFakes(t, "TestA: reads; TestB: skips; TestC: exhausts 40")
	first, cached := wasCached(t, o)
	if cached {
		t.Fatal("nothing was run before")
	}
	again, cached := wasCached(t, o)
	if !cached || again.Failed() != 0 {
		t.Fatalf("%+v", again)
	}
	for i := range again.Tests {
		c := again.Tests[i].Cached
		if c.Seed != 7 || c.Time.IsZero() {
			t.Errorf("%+v", c)
		}
		again.Tests[i].Cached = nil
	}
	if !reflect.DeepEqual(first.Tests, again.Tests) || !reflect.DeepEqual(first.Packages, again.Packages) {
		t.Errorf("got %+v, want %+v", again.Tests, first.Tests)
	}
	// Nobody has asked for a seed.
	o.Cache.AnySeed = true
	if _, cached = wasCached(t, o); cached {
		t.Error("the run of a chosen seed is another one")
	}
	o.Settings.Seed = 8
	if r, cached := wasCached(t, o); !cached || r.Tests[0].Cached.Seed != 7 || r.Suite.Seed != 8 {
		t.Errorf("any seed: %+v", r)
	}
}

// copied returns a copy of this test binary with a byte more.
func copied(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "other.test")
	if err := os.WriteFile(path, append(text, 'x'), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// Catches: (cached) though something has changed that the tests may depend on.
func TestChangesPreventCached(t *testing.T) {
	at := func(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for name, change := range map[string]func(t *testing.T, o *Options, dir string){
		"test binary": func(t *testing.T, o *Options, _ string) {
			other := copied(t)
			o.build = func(context.Context, *listed) (binary, problem string, err error) { return other, "", nil }
		},
		"this program": func(t *testing.T, _ *Options, _ string) {
			was := tool
			t.Cleanup(func() { tool = was })
			tool = func() (string, error) { return "another", nil }
		},
		"overlay": func(t *testing.T, o *Options, _ string) {
			o.makeOverlay = func(context.Context, goroot.Options) (*goroot.Overlay, error) {
				return &goroot.Overlay{Go: "go", GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", Dir: "another"}, nil
			}
		},
		"seed":       func(_ *testing.T, o *Options, _ string) { o.Settings.Seed++ },
		"executions": func(_ *testing.T, o *Options, _ string) { o.Executions++ },
		"again":      func(_ *testing.T, o *Options, _ string) { o.Cache = &Cache{Dir: o.Cache.Dir, Again: true} },
		"no cache":   func(_ *testing.T, o *Options, _ string) { o.Cache = nil },
		"time":       func(_ *testing.T, o *Options, _ string) { o.Executions, o.For = 0, time.Millisecond },
		"folder":     func(_ *testing.T, o *Options, _ string) { o.Packages = nil },
		"arguments":  func(_ *testing.T, o *Options, _ string) { o.Args = []string{"-test.v"} },
		"input": func(t *testing.T, _ *Options, dir string) {
			write(t, dir, map[string]string{"testdata/file": "other"})
			age(t, at(dir, "testdata/file"), long/2)
		},
		"time of an input": func(t *testing.T, _ *Options, dir string) { age(t, at(dir, "testdata/file"), long/2) },
		"no input": func(t *testing.T, _ *Options, dir string) {
			if err := os.Remove(at(dir, "testdata/file")); err != nil {
				t.Fatal(err)
			}
		},
		"file in a folder": func(t *testing.T, _ *Options, dir string) {
			write(t, dir, map[string]string{"testdata/other": "text"})
			age(t, at(dir, "testdata/other"), long)
			age(t, at(dir, "testdata"), long)
		},
		"missing file":      func(t *testing.T, _ *Options, dir string) { write(t, dir, map[string]string{"none": ""}) },
		"variable":          func(t *testing.T, _ *Options, _ string) { t.Setenv("FAKE_INPUT", "") },
		"GODEBUG":           func(t *testing.T, _ *Options, _ string) { t.Setenv("GODEBUG", "x=1") },
		"GORACE":            func(t *testing.T, _ *Options, _ string) { t.Setenv(wire.RaceVariable, "history_size=1") },
		"TZ":                func(t *testing.T, _ *Options, _ string) { t.Setenv("TZ", "Asia/Tokyo") },
		"variable of a run": func(_ *testing.T, o *Options, _ string) { o.env = []string{"FAKE_INPUT=x"} },
		"recording": func(t *testing.T, _ *Options, dir string) {
			write(t, dir, map[string]string{"testdata/chaos/TestGone/x.rouse": "torn"})
			age(t, at(dir, "testdata"), long)
		},
		"recording elsewhere": func(t *testing.T, o *Options, _ string) {
			o.Out = t.TempDir()
			write(t, o.Out, map[string]string{fakePackage + "/TestA/x.rouse": "torn"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, dir := cachedFakes(t, "TestA: reads")
			wasCached(t, o)
			if _, cached := wasCached(t, o); !cached {
				t.Fatal("not cached without a change")
			}
			change(t, &o, dir)
			if _, cached := wasCached(t, o); cached {
				t.Error("cached")
			}
		})
	}
}

// Catches: a package that is tested again for what its tests cannot see.
func TestNoChange(t *testing.T) {
	o, dir := cachedFakes(t, "TestA: reads")
	wasCached(t, o)
	o.Procs, o.UncontrolledFails, o.Out, o.Unrecorded = 1, true, t.TempDir(), true
	t.Setenv("FAKE_OTHER", "x")
	write(t, dir, map[string]string{"other": "", "testdata/chaos/TestA/README": "no recording"})
	age(t, filepath.Join(dir, "testdata"), long)
	if _, cached := wasCached(t, o); cached {
		t.Error("a folder that the tests list has another entry")
	}
	if _, cached := wasCached(t, o); cached {
		t.Error("its entry is too new")
	}
	age(t, filepath.Join(dir, "testdata", "chaos"), long)
	wasCached(t, o)
	if _, cached := wasCached(t, o); !cached {
		t.Error("not cached")
	}
}

// Catches: a result that is kept though not all of the package has passed, or though nobody knows what it depends on.
func TestNotKept(t *testing.T) {
	for script, change := range map[string]func(t *testing.T, o *Options, dir string){
		"TestA: fails 200":                 nil,
		"TestA; TestB: fails 3":            nil,
		"TestA: uncontrolled 100":          nil,
		"TestA: cut 1, cut 2, cut 3":       nil,
		"TestA: dies 5":                    nil,
		"TestA: garbles 5":                 nil,
		"TestA: tears-down 3":              nil,
		"TestA: loses":                     nil,
		"TestA: dies-early 1":              nil,
		"exits-well":                       nil,
		"exits":                            nil,
		"TestA: slow":                      func(_ *testing.T, o *Options, _ string) { o.Executions, o.For = 0, 50*time.Millisecond },
		"TestA: orders 100000, slow":       func(_ *testing.T, o *Options, _ string) { o.Executions, o.forAll = 0, 1 },
		"TestA: passes":                    func(_ *testing.T, o *Options, _ string) { o.Args = []string{"-test.v"} },
		"TestA: passes natively, native":   func(_ *testing.T, o *Options, _ string) { o.Native = true },
		"TestA: passes in the folder":      func(_ *testing.T, o *Options, _ string) { o.Packages = nil },
		"TestA: reads, and a file changes": func(t *testing.T, _ *Options, dir string) { age(t, filepath.Join(dir, "testdata", "file"), 0) },
		"TestA: reads, and one is newer": func(t *testing.T, _ *Options, dir string) {
			age(t, filepath.Join(dir, "testdata", "file"), -time.Second)
		},
		"TestA: passes without a module": func(_ *testing.T, o *Options, dir string) {
			o.listed = func(context.Context) ([]*listed, error) {
				return []*listed{{ImportPath: fakePackage, Dir: dir, TestGoFiles: []string{"fake_test.go"}}}, nil
			}
		},
	} {
		t.Run(script, func(t *testing.T) {
			o, dir := cachedFakes(t, script)
			was := o
			if change != nil {
				change(t, &o, dir)
			}
			if _, err := Run(t.Context(), o); err != nil && !strings.Contains(err.Error(), "TestMain") {
				t.Fatal(err)
			}
			if all, _ := filepath.Glob(filepath.Join(o.Cache.Dir, "*")); len(all) > 0 {
				t.Errorf("kept: %q", all)
			}
			t.Setenv(scriptEnv, "TestA; TestB")
			if err := os.RemoveAll(filepath.Join(dir, "testdata", "chaos")); err != nil {
				t.Fatal(err)
			}
			if _, cached := wasCached(t, was); cached {
				t.Error("cached")
			}
		})
	}
}

// Catches: a result of a run that was interrupted.
func TestInterruptedNotKept(t *testing.T) {
	o, _ := cachedFakes(t, "TestA; TestB: slow")
	ctx, cancel := context.WithCancel(t.Context())
	o.Observers = report.Observers{report.EachTest(func(report.TestReport) { cancel() })}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if all, _ := filepath.Glob(filepath.Join(o.Cache.Dir, "*")); len(all) > 0 {
		t.Errorf("kept: %q", all)
	}
}

// Catches: a pass that is reported though a later run of the same binary has failed, in whatever way it ran.
func TestFailureForgets(t *testing.T) {
	for name, other := range map[string]func(o *Options){
		"again": func(o *Options) { o.Cache = &Cache{Dir: o.Cache.Dir, AnySeed: true, Again: true} },
		"seed":  func(o *Options) { o.Settings.Seed, o.Cache = 99, &Cache{Dir: o.Cache.Dir} },
		"time":  func(o *Options) { o.Executions, o.For = 0, time.Minute },
	} {
		t.Run(name, func(t *testing.T) {
			o, dir := cachedFakes(t, "TestA")
			o.Cache.AnySeed = true
			wasCached(t, o)
			failing := o
			other(&failing)
			t.Setenv(scriptEnv, "TestA: fails 3")
			if r, _ := wasCached(t, failing); r.Failed() != 1 {
				t.Fatalf("%+v", r)
			}
			if err := os.RemoveAll(filepath.Join(dir, "testdata", "chaos")); err != nil {
				t.Fatal(err)
			}
			if r, cached := wasCached(t, o); cached || r.Failed() != 1 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// entryOf returns the only file of a cache.
func entryOf(t *testing.T, o *Options) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(o.Cache.Dir, "*"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%q, %v", all, err)
	}
	return all[0]
}

// Catches: a torn entry, or one that somebody has made, that is believed, or that stays.
func TestTornEntries(t *testing.T) {
	o, _ := cachedFakes(t, "TestA")
	wasCached(t, o)
	file := entryOf(t, &o)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, torn := range map[string][]byte{
		"empty": {}, "half": text[:len(text)/2], "tail": append(bytes.Clone(text), 'x'), "without its sum": text[65:],
		"other figures": bytes.Replace(text, []byte(`"Steps":`), []byte(`"Steps":9`), 1), "large": bytes.Repeat(text, 2*longestEntry/len(text)), "a line": []byte("\n"),
	} {
		if err := os.WriteFile(file, torn, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, cached := wasCached(t, o); cached {
			t.Errorf("%s: cached", name)
		}
		if _, cached := wasCached(t, o); !cached {
			t.Errorf("%s: it stays", name)
		}
	}
	// A result in the place of another one, and a folder.
	o.Executions = 200
	wasCached(t, o)
	all, _ := filepath.Glob(filepath.Join(o.Cache.Dir, "*"))
	for _, other := range all {
		if err := os.WriteFile(other, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, cached := wasCached(t, o); cached {
		t.Error("the result of 300 executions for 200")
	}
	if err := errors.Join(os.RemoveAll(o.Cache.Dir), os.MkdirAll(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	o.Executions = 300
	for range 2 {
		if _, cached := wasCached(t, o); cached {
			t.Error("a folder is no result")
		}
	}
}

// Catches: a cache that grows, and one that loses what is used.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	sizes := map[string]int{"a.json": 10, "b.json": 10, "c.json": 10, "d.json": 1, ".e.tmp": 1}
	for name, by := range map[string]time.Duration{"a.json": 0, "b.json": -time.Hour, "c.json": -2 * time.Hour, "d.json": -keepUnused - time.Hour, ".e.tmp": -keepUnused - time.Hour} {
		write(t, dir, map[string]string{name: strings.Repeat("x", sizes[name])})
		age(t, filepath.Join(dir, name), by)
	}
	prune(dir, time.Now(), 25)
	all, _ := filepath.Glob(filepath.Join(dir, "*"))
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) > 0 || len(all) != 2 || filepath.Base(all[1]) != "b.json" {
		t.Errorf("left: %q and %q", all, hidden)
	}
	prune(filepath.Join(dir, "none"), time.Now(), 25)
}

// How an option decides whether a result is one of an earlier run.
const (
	inKey      = "another value is another result"
	forbids    = "with it there are no such results"
	irrelevant = "it does not change what passes"
)

// Catches: a new option that nobody has judged, and one that is judged and left out.
func TestCacheKeyHasAllOptions(t *testing.T) {
	judged := map[string]string{
		"Build": inKey, "Run": inKey, "Skip": inKey, "Settings": inKey, "Executions": inKey, "Timeout": inKey, "Memory": inKey, "MayLeak": inKey,
		"Args": forbids, "Native": forbids, "For": forbids,
		"Procs": irrelevant, "Search": irrelevant /* of native failures */, "Attempts": irrelevant, "Out": irrelevant /* but for recordings there */, "Command": irrelevant,
		"UncontrolledFails": irrelevant, "Unrecorded": irrelevant, "Since": irrelevant, "Timelines": irrelevant, "Against": irrelevant, "FirstFailure": irrelevant, "Temporary": irrelevant,
		"Observers": irrelevant, "Doing": irrelevant,
		// TestChangesPreventCached has these.
		"Packages": "", "Cache": "", "Overlay": "", "env": "",
		// The package and its inputs are what is found in the folder.
		"dir": "", "guard": "", "grace": "", "longest": "", "shrinks": "", "makeOverlay": "", "listed": "", "build": "",
		// Of defaults: thrifty is below, the rest follows from it, or from the clock.
		"thrifty": "", "few": "", "firstTime": "", "forAll": "",
	}
	o, dir := cachedFakes(t, "TestA")
	of := func(o Options, p listed, setup wire.Setup) (string, bool) {
		s := &session{Options: o, overlay: &goroot.Overlay{Dir: "overlay"}}
		c := s.cacheOf(&p, &program{binary: os.Args[0], dir: dir, setup: setup, inputs: new(inputs)})
		return c.file, c.stores
	}
	p := listed{ImportPath: fakePackage, Dir: dir}
	keyOf := func(o Options) (string, bool) { return of(o, p, wire.Setup{Root: dir}) }
	was, stores := keyOf(o)
	if !stores {
		t.Fatal("no results")
	}
	if _, stores := of(o, p, wire.Setup{}); stores {
		t.Error("a package without a module")
	}
	exact := o
	exact.thrifty = !exact.thrifty
	if got, _ := keyOf(exact); got == was {
		t.Error("as many executions and at most as many have one key")
	}
	for i, other := range []struct {
		p     listed
		setup wire.Setup
	}{
		{listed{ImportPath: "other", Dir: dir}, wire.Setup{Root: dir}}, {listed{ImportPath: fakePackage, Dir: "other"}, wire.Setup{Root: dir}},
		{p, wire.Setup{Root: "other"}}, {p, wire.Setup{Root: dir, Own: []string{"other"}}},
	} {
		if got, _ := of(o, other.p, other.setup); got == was {
			t.Errorf("package %d is in no key", i)
		}
	}
	for field := range reflect.TypeFor[Options]().Fields() {
		judgement, ok := judged[field.Name]
		if !ok {
			t.Errorf("nobody has judged Options.%s: does the result of a package depend on it?", field.Name)
		}
		if judgement == "" {
			continue
		}
		for _, index := range leaves(field.Type, field.Index) {
			other := o
			v := reflect.ValueOf(&other).Elem().FieldByIndex(index)
			if !another(v) {
				continue
			}
			name := fmt.Sprint(field.Name, index)
			switch got, stores := keyOf(other); {
			case judgement == inKey && got == was:
				t.Errorf("%s is not in the key", name)
			case judgement == forbids && stores:
				t.Errorf("%s does not prevent that results are kept", name)
			case judgement == irrelevant && (got != was || !stores):
				t.Errorf("%s is in the key", name)
			}
		}
	}
}

// leaves returns the indexes of the fields of a type that are no structures.
func leaves(typ reflect.Type, index []int) (all [][]int) {
	if typ.Kind() != reflect.Struct {
		return [][]int{index}
	}
	for f := range typ.Fields() {
		all = append(all, leaves(f.Type, append(append([]int(nil), index...), f.Index...))...)
	}
	return all
}

// another changes a value, and reports whether it can.
func another(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.String {
			return false
		}
		v.Set(reflect.ValueOf([]string{"x"}))
	default:
		return false
	}
	return true
}
