package unmodified

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot"
)

// switchedCopy returns a switcher that has changed a copy of chaos/goroot.
func switchedCopy(t *testing.T, minor string) *switcher {
	t.Helper()
	s := &switcher{root: t.TempDir()}
	if err := os.CopyFS(filepath.Join(s.root, "chaos/goroot"), os.DirFS("../../../chaos/goroot")); err != nil {
		t.Fatal(err)
	}
	if err := s.change(minor); err != nil {
		t.Fatal(err)
	}
	return s
}

// Catches: a patch or a point that can not be left out, and two that are left out together.
func TestSwitches(t *testing.T) {
	for _, minor := range goroot.Versions {
		s := switchedCopy(t, minor)
		switches, kinds := 0, map[string]int{}
		for i, p := range s.parts {
			if p.number != 0 && p.number != i+1 {
				t.Errorf("Go %s: %s %s has the number %d, want %d", minor, p.kind, p.name, p.number, i+1)
			}
			if p.number != 0 {
				switches++
			}
			kinds[p.kind]++
		}
		if kinds["patch"] != len(goroot.Names(minor)) || kinds["point"] < 30 || kinds["verdict"] != len(Verdicts) || len(s.parts)-switches > 50 {
			t.Errorf("Go %s: %v, %d of %d can be left out while a process runs", minor, kinds, switches, len(s.parts))
		}
		for _, name := range []string{"before Lock", "after Unlock", "before CAS", "a CAS that failed", "before WGWait"} {
			if !slices.ContainsFunc(s.parts, func(p part) bool { return p.kind == "point" && p.name == name }) {
				t.Errorf("Go %s: no point %q", minor, name)
			}
		}
	}
}

// Catches: a text that does the same with and without its patch.
func TestSwitched(t *testing.T) {
	for _, c := range []struct {
		patch goroot.Patch
		want  string
	}{
		{goroot.Patch{In: "func f()", Where: goroot.After, Text: "g()"}, "if rouse.Omit != 7 { g() }"},
		{goroot.Patch{In: "func f()", Where: goroot.After, Text: "x := g()"}, ""},
		{goroot.Patch{In: "type t struct", Where: goroot.After, Text: "x *int"}, ""},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "x = 1 // one", Text: "x = 2"}, "if rouse.Omit == 7 { x = 1 } else { x = 2 }"},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "if b := g(); b {", Text: "if b := g(); b && c {"},
			"if b := g(); rouse.Omit == 7 && (b) || rouse.Omit != 7 && (b && c) {"},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "x := g()", Text: "begin(); x := g(); end()"},
			"if rouse.Omit != 7 { begin() }; x := g(); if rouse.Omit != 7 { end() }"},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "if b {", Text: "x := b; if x {"}, ""},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "j := g()", Text: "j := 1"}, "j := 1; if rouse.Omit == 7 { j = int(g()) }"},
		{goroot.Patch{In: "func f()", Where: goroot.Replace, Anchor: "for x := range a {", Text: "for x := range b {"}, ""},
	} {
		if got, ok := switched(c.patch, 7); got != c.want || ok != (c.want != "") {
			t.Errorf("%+v: %q, %v, want %q", c.patch, got, ok, c.want)
		}
	}
}

func TestCallOf(t *testing.T) {
	for line, want := range map[string]string{
		"func (m *Map) Store(key, value any) {":                "m.rouseStore(key, value)\n\t\treturn",
		"func (m *Map) Load(key any) (value any, ok bool) {":   "return m.rouseLoad(key)",
		"func (m *Mutex) Lock() {":                             "m.rouseLock()\n\t\treturn",
		"func (v *Value) Swap(new any) (old any) {":            "return v.rouseSwap(new)",
		"func (m *Map) Range(f func(key, value any) bool) {":   "m.rouseRange(f)\n\t\treturn",
		"func (wg *WaitGroup) Add(delta int) { wg.point(); ":   "wg.rouseAdd(delta)\n\t\treturn",
		"func (m *Map) Delete(key any) { m.LoadAndDelete(key)": "m.rouseDelete(key)\n\t\treturn",
	} {
		if got := callOf(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// Catches: a table that loses rows when it is read and written.
func TestOmissions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "table")
	if all, err := ReadOmissions(name); err != nil || all != nil {
		t.Errorf("no table: %v, %v", all, err)
	}
	want := []Omission{{"patch", "b", "build"}, {"patch", "c", ""}, {"point", "a", "points TestX: it passes"}}
	if err := WriteOmissions(name, []Omission{want[2], want[0], want[1]}); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadOmissions(name); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if err := os.WriteFile(name, []byte("patch\tb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := ReadOmissions(name); err == nil {
		t.Errorf("two fields: %q", all)
	}
}

// Catches: a package of traps or planted bugs that is not asked whether it notices. Those of leaks take a flag, those of
// stuck wait in real time, and those of coin are a matter of luck.
func TestModules(t *testing.T) {
	for _, m := range modules {
		files, err := filepath.Glob(filepath.Join("../../../chaos/goroot/testdata", m.name, "*", "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(m.name, err)
		}
		for _, file := range files {
			if name := filepath.Base(filepath.Dir(file)); !slices.Contains(append([]string{"leaks", "stuck", "coin"}, m.packages...), name) {
				t.Errorf("%s: %s is not asked", m.name, name)
			}
		}
	}
}
