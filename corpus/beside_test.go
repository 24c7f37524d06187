package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: a statement that is left out, a clause or a declaration that is taken for one, and a line that moves.
func TestGoschedIsInjected(t *testing.T) {
	const text = `package p // a comment

func f(c chan int) int {
	switch n := <-c; {
	case n > 0:
		return 1
	default:
	}
loop:
	for {
		select {
		case <-c:
			break loop
		}
	}
	func() { f(c) }()
	return 0
}
`
	got, err := withGosched("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(text, "package p", "package p; I", 1)
	for _, s := range []string{"switch", "return 1", "loop:\n", "select {", "break loop", "func() {", "f(c) }", "return 0"} {
		want = strings.Replace(want, s, "Y"+s, 1)
	}
	want = strings.ReplaceAll(strings.Replace(want, "; I", goschedImports, 1), "Y", goschedStatement)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, err := withGosched("p.go", got); err != nil || strings.Count(string(again), "\n") != strings.Count(text, "\n") {
		t.Errorf("the result is no Go file of as many lines: %v\n%s", err, again)
	}
	if empty, err := withGosched("p.go", []byte("package p\n")); err != nil || string(empty) != "package p\n" {
		t.Errorf("%q, %v", empty, err)
	}
}

const nativeTests = `package p

import "testing"

var n int

func TestFailsThird(t *testing.T) {
	if n++; n == 3 {
		t.Error("third")
	}
}

func TestHangsSecond(t *testing.T) {
	if n++; n == 2 {
		select {}
	}
}

func TestPasses(t *testing.T) {}
`

// Catches: a failure or a hang that is not seen, or of which the executions are miscounted.
func TestNative(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25.0\n", "p_test.go": nativeTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "p.test")
	if _, err := goCommand(t.Context(), dir, nil, "test", "-c", "-o", binary); err != nil {
		t.Fatal(err)
	}
	for test, want := range map[string]Attempt{
		"TestFailsThird":  {Outcome: Found, By: "a failure", Executions: 3},
		"TestHangsSecond": {Outcome: Found, By: "a hang", Executions: 2},
		"TestPasses":      {Outcome: NotFound},
	} {
		n := &native{test: test, limit: 1e9}
		got, err := n.run(t.Context(), binary, dir)
		if err != nil {
			t.Fatal(err)
		}
		if got.Ms = 0; test == "TestPasses" && got.Executions > 0 {
			got.Executions = 0
		}
		if *got != want {
			t.Errorf("%s: %+v, want %+v", test, *got, want)
		}
	}
}

// Catches: figures that differ in digits that mean nothing.
func TestRounded(t *testing.T) {
	for ms, want := range map[int64]int{0: 0, 7: 7, 99: 99, 104: 100, 105: 110, 1234: 1200, 19_960: 20_000} {
		if got := rounded(ms); got != want {
			t.Errorf("%d ms are rounded to %d, want %d", ms, got, want)
		}
	}
}
