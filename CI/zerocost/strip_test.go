package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const stripHeader = `package p

import (
	"fmt"
	"example.com/m/hooks"
	"example.com/m/hooks/atomic"
	"example.com/m/hooks/memory"
	"example.com/m/other"
)

var a, b = hooks.Declare("p/a", "", hooks.Drops), hooks.Declare("p/b", "", hooks.Drops)

var x atomic.Int64
var _, _ = fmt.Sprint, other.X
`

func stripText(t *testing.T, body string) (*stripped, string) {
	t.Helper()
	s := newStripper("example.com/m", map[string]string{"sync/atomic": "atomic"})
	s.dropped["example.com/m/other"] = map[string]bool{"Point": true}
	out, err := s.pkg("example.com/m/p", []string{"p.go"}, func(string) ([]byte, error) {
		return []byte(stripHeader + body), nil
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	text := string(out.files["p.go"])
	if got, want := strings.Count(text, "\n"), strings.Count(stripHeader+body, "\n"); got != want {
		t.Errorf("%d lines became %d", want, got)
	}
	return out, text
}

func TestStripRewritesEachForm(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"hooks.At(a)", ""},
		{"hooks.Name(fmt.Sprint(1))", ""},
		{"if hooks.At(a); x > 0 { f() }", "if ; x > 0 { f() }"},
		{"for range hooks.Notify(a) { f() }", "{ f() }"},
		{"for range hooks.Notify(a) { hooks.At(b); f() }", "{ ; f() }"},
		{"for range hooks.Notify(a) { f(); if !hooks.Enabled { break } }", "{ f();  }"},
		{"for range hooks.Notify(a) { if !hooks.Enabled { break }; f() }", "for range 1 { { break }; f() }"},
		{"for i := range hooks.Notify(a) { f(i) }", "for i := range 1 { f(i) }"},
		{"for range hooks.Notify(a) { if f() { break } }", "for range 1 { if f() { break } }"},
		{"if n := hooks.Notify(a); n > 0 { f() }", "if n := 1; n > 0 { f() }"},
		{"if hooks.Fail(a) || !f() { f() }", "if false || !f() { f() }"},
		{"y := hooks.Value(a, hooks.Value(b, f()+1))", "y := uint64(uint64(f()+1))"},
		{"go hooks.Task(f)()", "go (f)()"},
		{"go hooks.Task(func() { hooks.At(a) })()", "go (func() {  })()"},
		{"g := hooks.Goroutine(); _ = g", "g := uintptr(0); _ = g"},
		{"if hooks.Controlled() { panic(0) }", "if false { panic(0) }"},
		{"if r := recover(); hooks.Unwinding(r) { panic(r) }", "if r := recover(); false { panic(r) }"},
		{"if hooks.Enabled { f() }", ""},
		{"if hooks.Enabled { f() } else { hooks.At(a); g() }", "{ ; g() }"},
		{"if hooks.Enabled { f() } else if f() { g() }", "if f() { g() }"},
		{"if f() { hooks.At(a) } else if hooks.Enabled { g() }", "if f() {  }"},
		{"if !hooks.Enabled { hooks.At(a); f() } else { g() }", "{ ; f() }"},
		{"if f() { g() } else if !hooks.Enabled { f() }", "if f() { g() } else { f() }"},
		{"if !hooks.Enabled && f() { g() }", "if !false && f() { g() }"},
		{"var p hooks.Point", "var p struct{}"},
		{"g(a)", "g(struct{}{})"},
		{"g(other.Point)", "g(struct{}{})"},
		{"a := 1; g(a, s.b, S{a: 2})", "a := 1; g(a, s.b, S{a: 2})"},
		{"x.Add(1)", "x.Add(1)"},
		{"y := memory.LoadInt64(&x, memory.Acquire)", "y := (&x).Load()"},
		{"memory.StoreInt64(&x, f()+g(), memory.Release)", "(&x).Store(f()+g())"},
		{"y := memory.AddInt64(&x, memory.LoadInt64(&x, memory.Relaxed), memory.AcqRel)", "y := (&x).Add((&x).Load())"},
		{"if memory.CompareAndSwapInt64(&x, 1, f(), memory.AcqRel, memory.Relaxed) { g() }", "if (&x).CompareAndSwap(1, f()) { g() }"},
		{"memory.Fence(memory.SeqCst); f()", "; f()"},
	} {
		_, text := stripText(t, "func F() {\n\t"+test.from+"\n}\n")
		_, text, _ = strings.Cut(text, "func F() {\n\t")
		if got := strings.TrimSuffix(text, "\n}\n"); got != test.to {
			t.Errorf("%s\nbecame %s\nwant   %s", test.from, got, test.to)
		}
	}
}

func TestStripLeavesNothingOfHooks(t *testing.T) {
	out, text := stripText(t, `
func F() { hooks.At(a) }
func (t *T[K, V]) M() { x.Add(1) }
func (t T) N() { var y atomic.Int32 }
func g() {}
`)
	if strings.Contains(text, "hooks") {
		t.Errorf("hooks are left in\n%s", text)
	}
	for _, want := range []string{`"sync/atomic"`, `"fmt"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the import of %s is gone from\n%s", want, text)
		}
	}
	if want := []string{"F", "(*T).M", "T.N", "g"}; !slices.Equal(out.funcs, want) {
		t.Errorf("functions %v, want %v", out.funcs, want)
	}
	if !out.hooked["F"] || !out.hooked["T.N"] || out.hooked["g"] || out.hooked["(*T).M"] {
		t.Errorf("hooked are %v", out.hooked)
	}
	if want := []string{"a", "b"}; !slices.Equal(out.points, want) {
		t.Errorf("points %v, want %v", out.points, want)
	}
}

func TestStripDropsImportsThatOnlyHooksUsed(t *testing.T) {
	s := newStripper("example.com/m", nil)
	out, err := s.pkg("example.com/m/p", []string{"p.go"}, func(string) ([]byte, error) {
		return []byte("package p\nimport \"strconv\"\nimport \"example.com/m/hooks\"\nfunc f() { hooks.Name(strconv.Itoa(1)) }\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out.files["p.go"]), "package p\n\n\nfunc f() {  }\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStripRefusesWhatItCannotUndo(t *testing.T) {
	for from, want := range map[string]string{
		"f := hooks.At":             "hooks.At is used other than by calling it",
		"defer hooks.At(a)":         "hooks.At is used other than by calling it",
		"const c = hooks.Drops":     "hooks.Drops is used other than by calling it",
		"channel.Send(c)":           "stands for no standard package",
		"y := hooks.Value(a, 1, 2)": "hooks.Value is used other than by calling it",
	} {
		s := newStripper("example.com/m", nil)
		text := "package p\nimport \"example.com/m/hooks\"\nimport \"example.com/m/hooks/channel\"\nvar _ = channel.X\nvar a = hooks.Declare()\nfunc F() { " + from + " }\n"
		if want != "stands for no standard package" {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "import \"example.com/m/hooks/channel\"\n", ""), "var _ = channel.X\n", "")
		}
		out, err := s.pkg("example.com/m/p", []string{"p.go"}, func(string) ([]byte, error) { return []byte(text), nil })
		if err != nil {
			t.Fatal(err)
		}
		if len(out.left) == 0 || !strings.Contains(out.left[len(out.left)-1].what, want) {
			t.Errorf("%s: got %v, want %q", from, out.left, want)
		} else if got := out.left[len(out.left)-1].fn; got != "example.com/m/p.F" {
			t.Errorf("%s: names %s", from, got)
		}
	}
}

func TestStripReportsUnreadableSource(t *testing.T) {
	s := newStripper("example.com/m", nil)
	if _, err := s.pkg("p", []string{"no/such/file.go"}, os.ReadFile); err == nil {
		t.Error("a missing file went unnoticed")
	}
	if _, err := s.pkg("p", []string{"p.go"}, func(string) ([]byte, error) { return []byte("package"), nil }); err == nil {
		t.Error("a syntax error went unnoticed")
	}
}
