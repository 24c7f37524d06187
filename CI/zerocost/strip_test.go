package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

const stripHeader = `package p

import (
	"fmt"
	"strconv"
	"example.com/m/hooks"
	"example.com/m/hooks/atomic"
	"example.com/m/hooks/channel"
	"example.com/m/hooks/memory"
)

var a, b = hooks.Declare("p/a", "", hooks.Drops), hooks.Declare("p/b", "", hooks.Drops)

var x atomic.Int64
`

var (
	blanks   = regexp.MustCompile(`\s+`)
	lineMark = regexp.MustCompile(`(?m)^//line .*\n`)
)

// stripText strips a file of the header and body, and returns what became of body, in one line.
func stripText(t *testing.T, body string) (s *stripper, header, text string) {
	t.Helper()
	s = newStripper("example.com/m")
	out, err := s.file("p.go", []byte(stripHeader+body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	header, text, _ = strings.Cut(lineMark.ReplaceAllString(string(out), ""), "atomic.Int64\n")
	return s, header, strings.TrimSpace(blanks.ReplaceAllString(text, " "))
}

// Catches: a form that is not rewritten, or to something else.
func TestStripRewritesEachForm(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"hooks.At(a)", ""},
		{"hooks.Name(fmt.Sprint(1))", ""},
		{"switch { case f(): hooks.At(a); f() }", "switch { case f(): f() }"},
		{"select { case <-c: hooks.At(a); f() }", "select { case <-c: f() }"},
		{"for range hooks.Notify(a) { f() }", "{ f() }"},
		{"for range hooks.Notify(a) { hooks.At(b); f() }", "{ f() }"},
		{"for range hooks.Notify(a) { f(); if !hooks.Enabled { break } }", "{ f() }"},
		{"for range hooks.Notify(a) { if !hooks.Enabled { break }; f() }", "for range int(1) { { break } f() }"},
		{"for i := range hooks.Notify(a) { f(i) }", "for i := range int(1) { f(i) }"},
		{"for range hooks.Notify(a) { if f() { break } }", "for range int(1) { if f() { break } }"},
		{"if n := hooks.Notify(a); n > 0 { f() }", "if n := int(1); n > 0 { f() }"},
		{"if hooks.Fail(a) || !f() { f() }", "if bool(false) || !f() { f() }"},
		{"y := hooks.Value(a, hooks.Value(b, f()+1))", "y := uint64(uint64(f() + 1))"},
		{"go hooks.Task(f)()", "go (f)()"},
		{"go hooks.Task(func() { hooks.At(a) })()", "go (func() {})()"},
		{"g := hooks.Goroutine(); _ = g", "g := uintptr(0) _ = g"},
		{"if hooks.Controlled() { panic(0) }", "if bool(false) { panic(0) }"},
		{"if r := recover(); hooks.Unwinding(r) { panic(r) }", "if r := recover(); bool(false) { panic(r) }"},
		{"if hooks.Enabled { f() }", ""},
		{"if hooks.Enabled { f() } else { hooks.At(a); g() }", "{ g() }"},
		{"if hooks.Enabled { f() } else if f() { g() }", "if f() { g() }"},
		{"if f() { hooks.At(a) } else if hooks.Enabled { g() }", "if f() { }"},
		{"if !hooks.Enabled { hooks.At(a); f() } else { g() }", "{ f() }"},
		{"if f() { g() } else if !hooks.Enabled { f() }", "if f() { g() } else { f() }"},
		{"if !hooks.Enabled && f() { g() }", "if !false && f() { g() }"},
		{"var p hooks.Point", "var p struct{}"},
		{"f := func(p hooks.Point) {}", "f := func(p struct{}) {}"},
		{"x.Add(1)", "x.Add(1)"},
		{"y := memory.LoadInt64(&x, memory.Acquire)", "y := (&x).Load()"},
		{"memory.StoreInt64(&x, f()+g(), memory.Release)", "(&x).Store(f() + g())"},
		{"y := memory.AddInt64(&x, memory.LoadInt64(&x, memory.Relaxed), memory.AcqRel)", "y := (&x).Add((&x).Load())"},
		{"if memory.CompareAndSwapInt64(&x, 1, f(), memory.AcqRel, memory.Relaxed) { g() }", "if (&x).CompareAndSwap(1, f()) { g() }"},
		{"memory.Fence(memory.SeqCst); f()", "f()"},
	} {
		s, _, got := stripText(t, "func F() {\n"+test.from+"\n}\n")
		want := strings.TrimSpace("func F() { " + test.to)
		if strings.TrimSuffix(strings.TrimSuffix(got, "}"), " ") != want && got != want+"}" {
			t.Errorf("%s\nbecame %s\nwant   %s }", test.from, got, want)
		}
		if len(s.left) > 0 {
			t.Errorf("%s: left %v", test.from, s.left)
		}
	}
}

// Catches: an import that stays without a use, a function that does not count as hooked, or does.
func TestStripLeavesNothingOfHooks(t *testing.T) {
	s, header, text := stripText(t, `
func F() { hooks.At(a); fmt.Print() }
func (t *T[K, V]) M() { x.Add(1) }
func (t T) N() { var y atomic.Int32 }
func g(p hooks.Point) { hooks.Name(strconv.Itoa(1)) }
//go:noinline
func Generic[T any]() {}
func init() {}
`)
	if header = blanks.ReplaceAllString(header, " "); header != `package p import ( "fmt" "sync/atomic" ) var a, b = struct{}(struct{}{}), struct{}(struct{}{}) var x ` || strings.Contains(text, "hooks") {
		t.Errorf("got %s%s", header, text)
	}
	if !strings.Contains(text, "//go:noinline") {
		t.Errorf("a directive is gone from %s", text)
	}
	if want := []string{"F", "(*T).M", "T.N", "g", "Generic", "init"}; !slices.Equal(s.functions, want) {
		t.Errorf("functions %v, want %v", s.functions, want)
	}
	if !s.hooked["F"] || !s.hooked["T.N"] || !s.hooked["g"] || s.hooked["Generic"] || s.hooked["(*T).M"] {
		t.Errorf("hooked are %v", s.hooked)
	}
	if want := []string{"a", "b"}; !slices.Equal(s.points, want) {
		t.Errorf("points %v, want %v", s.points, want)
	}
}

// Catches: a use of hooks that cannot be removed and is not reported.
func TestStripReportsWhatItCannotRemove(t *testing.T) {
	for from, want := range map[string]string{
		"f := hooks.At":             "p.go:16:6: At of hooks is used",
		"defer hooks.At(a)":         "p.go:16:7: At of hooks is used",
		"const c = hooks.Drops":     "p.go:16:11: Drops of hooks is used",
		"channel.Send(c)":           "p.go:16:1: channel.Send of hooks is used",
		"y := hooks.Value(a, 1, 2)": "p.go:16:6: Value of hooks is used",
		"memory.LoadInt64(&x)":      "p.go:16:1: memory.LoadInt64 of hooks is used",
	} {
		s, _, _ := stripText(t, "func F() {\n"+from+"\n}\n")
		if len(s.left) != 1 || s.left[0].where != "F" || !strings.HasPrefix(s.left[0].what, want) {
			t.Errorf("%s: got %v, want %q", from, s.left, want)
		}
	}
}

func TestStripRefusesWhatIsNoGo(t *testing.T) {
	if _, err := newStripper("example.com/m").file("p.go", []byte("package")); err == nil {
		t.Error("a syntax error went unnoticed")
	}
}
