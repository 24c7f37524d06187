package foreign

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// program returns this test as a program.
func program(t *testing.T) *Program {
	t.Helper()
	t.Setenv(asProgram, "yes")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := New("itself", self)
	t.Cleanup(p.Close)
	return p
}

// Catches: an answer of another turn, figures in the wrong order.
func TestTurn(t *testing.T) {
	p := program(t)
	for i := range 3 {
		check, figures, err := p.Turn(t.Context(), "sum", 2, i)
		if err != nil || check != float64(2+i) || !slices.Equal(figures, []float64{1.5, 2}) {
			t.Errorf("%v, %v, %v", check, figures, err)
		}
	}
}

// Catches: an error of several lines, of which the rest would be the next answer; one that ends the
// program.
func TestError(t *testing.T) {
	p := program(t)
	if _, _, err := p.Turn(t.Context(), "fob", 1); err == nil || err.Error() != "itself: no row fob" {
		t.Errorf("%v, want that there is none", err)
	}
	if check, _, err := p.Turn(t.Context(), "sum", 1, -1); check != 0 || err != nil {
		t.Errorf("%v, %v", check, err)
	}
}

// Catches: words that are taken for numbers.
func TestServe(t *testing.T) {
	var out strings.Builder
	err := Serve(strings.NewReader("\nsum 1 x\n"), &out, nil)
	if want := "error no row\nerror \"x\" is no whole number\n"; err != nil || out.String() != want {
		t.Errorf("%q, %v, want %q", &out, err, want)
	}
}

// Catches: a fresh process that is the old one, or one without the arguments.
func TestFresh(t *testing.T) {
	p := program(t)
	p.args = []string{"-test.timeout=5m"} // which no program minds
	fresh := p.Fresh()
	defer fresh.Close()
	for _, each := range []*Program{p, fresh} {
		if _, _, err := each.Turn(t.Context(), "sum", 1, 1); err != nil {
			t.Fatal(err)
		}
	}
	if p.PID() == fresh.PID() || p.PID() == 0 || New("", "").PID() != 0 || len(fresh.process.Args) != 2 {
		t.Errorf("%v and %v are to be two of the same", p.process, fresh.process)
	}
}

// Catches: a program that ends or hangs, and takes the run with it, or is asked again and makes a
// second one; a context that does not end it.
func TestProgramEnds(t *testing.T) {
	p := program(t)
	for range 2 {
		if _, _, err := p.Turn(t.Context(), "end"); err == nil || !strings.Contains(err.Error(), "itself: ended without an answer") {
			t.Errorf("%v, want that it ended", err)
		}
	}
	p = program(t)
	trouble := errors.New("trouble")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(trouble) })
	if _, _, err := p.Turn(ctx, "hang"); !errors.Is(err, trouble) {
		t.Errorf("%v, want the cause", err)
	}
	p = New("none", "/nowhere/at-all")
	if _, _, err := p.Turn(t.Context(), "sum"); err == nil {
		t.Error("a program that is not there has answered")
	}
}

// Catches: an answer that is no answer, and is taken for figures.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"error no row \"fob\"":         `no row "fob"`,
		"":                             "want ok or error",
		"okay 1 2":                     "want ok or error",
		"ok":                           "want what was computed",
		"ok 1 two":                     `"two" is no number`,
		strings.Repeat("garbage", 100): "want ok or error",
	} {
		if _, _, err := parse(line); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 150 {
			t.Errorf("%q: %v, want %q", clip(line), err, want)
		}
	}
	if check, figures, err := parse("ok 4 1e3 -2.5"); err != nil || check != 4 || !slices.Equal(figures, []float64{1000, -2.5}) {
		t.Errorf("%v, %v, %v", check, figures, err)
	}
}
