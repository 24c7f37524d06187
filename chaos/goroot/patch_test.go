package goroot

import (
	"slices"
	"strings"
	"testing"
)

const planted = `package x

type s struct {
	a  int // a comment
}

func f(c chan int) {
	g("//", c) // why
	return
}

func h() {
	return
}
`

// Catches: a text in the wrong place, and a line too many.
func TestApply(t *testing.T) {
	f := newFile("x.go", planted)
	for _, p := range []Patch{
		begin("x.go", "func f(", "point()", "-"),
		begin("x.go", "type s struct", "z int", "-"),
		after("x.go", "type s struct", "a int // a comment", "b int", "-"),
		after("x.go", "func f(", "g(\"//\", c) // why", "rouse.Point()", "-"),
		before("x.go", "func f(", "return", "last()", "-"),
		replace("x.go", "func h()", "return", "panic(x.rouse.y)", "-"),
	} {
		if err := f.apply(p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.text()
	if err != nil {
		t.Fatal(err)
	}
	want := `package x; import "internal/rouse"

type s struct { z int
	a  int; b int // a comment
}

func f(c chan int) { point()
	g("//", c); rouse.Point() // why
last(); 	return
}

func h() {
panic(x.rouse.y)
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Catches: an anchor that is not as it was, and is taken nevertheless.
func TestApplyRefuses(t *testing.T) {
	for _, test := range []struct {
		patch Patch
		want  string
	}{
		{begin("x.go", "func gone(", "-", "-"), `no "func gone("`},
		{begin("x.go", "func", "-", "-"), `"func" is there twice`},
		{begin("x.go", "package x", "-", "-"), "not a line that ends with {"},
		{after("x.go", "func h()", "g(\"//\", c) // why", "-", "-"), "0 times"},
		{after("x.go", "func f(", "return ", "-", "-"), ""},
	} {
		err := newFile("x.go", planted).apply(test.patch)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v: %v, want %q", test.patch, err, test.want)
		}
	}
	f := newFile("x.go", planted)
	twice := replace("x.go", "func h()", "return", "-", "-")
	if err := f.apply(twice); err != nil {
		t.Fatal(err)
	}
	if err := f.apply(twice); err == nil {
		t.Error("a line was replaced twice")
	}
}

// Catches: a text that would move the lines that follow it, and a patch that gives no reason.
func TestPatchesAreLines(t *testing.T) {
	for _, p := range Patches() {
		if strings.Contains(p.Text, "\n") || strings.Contains(p.Text, "//") || p.Text == "" || p.Why == "" {
			t.Errorf("%+v: want a text without a line break or a comment, and a reason", p)
		}
	}
}

// Catches: a patch for one version that is applied to another.
func TestPatchesFor(t *testing.T) {
	for _, v := range Versions {
		want := 0
		for _, p := range Patches() {
			if p.For(v) {
				want++
			}
			for _, minor := range []string{p.Since, p.Until} {
				if minor != "" && !slices.Contains(Versions, minor) {
					t.Errorf("%+v: there is no such version", p)
				}
			}
		}
		if got := patchesFor(v); len(got) != want || slices.ContainsFunc(got, func(p Patch) bool { return !p.For(v) }) {
			t.Errorf("Go %s: %d patches, want %d", v, len(got), want)
		}
	}
	for _, v := range Versions {
		if names := Names(v); len(names) != len(patchesFor(v)) || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
			t.Errorf("Go %s: a name for each patch, and no two the same: %q", v, names)
		}
	}
	if all, next := len(Patches()), patchesFor("1.99"); len(next) >= all || !slices.Equal(next, patchesFor(Versions[len(Versions)-1])) {
		t.Errorf("%d of %d patches are for the next version: want those of the last", len(next), all)
	}
}

// Catches: a caller in the standard library that draws from the stream of a test, or sees its time; and a
// name of another function that is changed.
func TestRelinked(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"runtime/x.go", "func nanotime() int64 {\n\treturn nanotime1() + s.nanotime()\n}", "func rouseNanotime() int64 {\n\treturn nanotime1() + s.nanotime()\n}"},
		{"runtime/x.go", "x := cheaprandn(1<<2)+uint32(cheaprand64())&cheaprand()", "x := rouseCheaprandn(1<<2)+uint32(rouseCheaprand64())&rouseCheaprand()"},
		{"runtime/x.go", "// runtime·nanotime() is", "// runtime·rouseNanotime() is"},
		{"runtime/x.go", "//go:linkname procPin\nfunc sync_runtime_procPin() int { return procPin() }", "//go:linkname procPin\nfunc sync_runtime_procPin() int { return rouseProcPin() }"},
		{"runtime/x.go", "//go:linkname time_now time.now\nfunc time_now()", "//go:linkname time_now runtime.rouseTimeNow\nfunc time_now()"},
		{"runtime/x.s", "TEXT time·now<ABIInternal>(SB)\nTEXT runtime·cputicks(SB)", "TEXT runtime·rouseTimeNow<ABIInternal>(SB)\nTEXT runtime·rouseCputicks(SB)"},
		{"internal/poll/x.go", "//go:linkname runtimeNano runtime.nanotime\nnanotime()", "//go:linkname runtimeNano runtime.rouseNanotime\nnanotime()"},
		{"syscall/x.s", "TEXT ·gettimeofday(SB),NOSPLIT,$0-16", "TEXT ·rouseGettimeofday(SB),NOSPLIT,$0-16"},
		{"syscall/x.go", "\nfunc gettimeofday(tv)\ngettimeofday(x)", "\nfunc rouseGettimeofday(tv)\ngettimeofday(x)"},
		{"syscall/x.go", "// Why.\n//go:linkname gettimeofday\nfunc gettimeofday(tv)", "// Why.\n//\nfunc rouseGettimeofday(tv)"},
		{linkWrappers, "return nanotime()", "return nanotime()"},
	} {
		if got := relinked(test.name, test.text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
