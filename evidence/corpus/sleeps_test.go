package corpus

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

var units = map[string]time.Duration{"Nanosecond": 1, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}

// length is the value of an expression such as 2*time.Second, or 0.
func length(e ast.Expr) time.Duration {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "time" {
			return units[e.Sel.Name]
		}
	case *ast.BasicLit:
		n, _ := strconv.ParseInt(e.Value, 0, 64)
		return time.Duration(n)
	case *ast.BinaryExpr:
		x, y := length(e.X), length(e.Y)
		switch {
		case e.Op == token.MUL:
			return x * y
		case e.Op == token.QUO && y != 0:
			return x / y
		case e.Op == token.ADD && x != 0 && y != 0:
			return x + y
		}
	}
	return 0
}

// sleepsExactly returns the durations for which a driver sleeps and which it also gives to a library.
func sleepsExactly(t *testing.T, text string, defaults ...time.Duration) (both []time.Duration) {
	file, err := parser.ParseFile(token.NewFileSet(), "driver_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var slept []time.Duration
	given := defaults
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sleep" {
				if x, ok := f.X.(*ast.Ident); ok && x.Name == "time" {
					slept = append(slept, length(call.Args[0]))
					return false
				}
			}
		}
		if e, ok := n.(ast.Expr); ok {
			if d := length(e); d >= time.Microsecond {
				given = append(given, d)
				return false
			}
		}
		return true
	})
	for _, d := range slept {
		if slices.Contains(given, d) {
			both = append(both, d)
		}
	}
	return both
}

// Catches: a driver that sleeps for exactly a period of its library, so that both are due at the same time, as they
// never are on a real machine.
func TestDriversSleepForNoPeriod(t *testing.T) {
	const planted = "package p\nfunc f() {\n\tp.New(p.Idle(%), 3)\n\ttime.Sleep(time.Second)\n\ttime.Sleep(3 * time.Second / 2)\n}\n"
	for given, want := range map[string]int{"time.Second": 1, "1000 * time.Millisecond": 1, "time.Second + 500*time.Millisecond": 1, "2 * time.Second": 0, "time.Hour": 0} {
		text := planted[:len("package p\nfunc f() {\n\tp.New(p.Idle(")] + given + planted[len("package p\nfunc f() {\n\tp.New(p.Idle(%"):]
		if got := sleepsExactly(t, text); len(got) != want {
			t.Errorf("given %s the planted driver sleeps exactly %v, want %d", given, got, want)
		}
	}
	// The periods of libraries whose drivers keep the default.
	defaults := map[string]time.Duration{"datadogclose": 100 * time.Millisecond, "zapstop": 30 * time.Second}
	names, err := filepath.Glob("*/*/driver_test.go")
	if err != nil || len(names) < 70 {
		t.Fatalf("%d drivers, error %v", len(names), err)
	}
	for _, name := range names {
		set := filepath.Base(filepath.Dir(name))
		if set == "mockclock" {
			continue // its other durations are those of a mock
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if both := sleepsExactly(t, string(text), defaults[set]); both != nil {
			t.Errorf("%s sleeps for %v, which its library does, too", name, both)
		}
	}
}
