package kill

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Programs makes programs, by the first word of what they are called, of the words
// that follow it.
type Programs map[string]func(words string) (Program, error)

// Find returns the program, or an error that says what would be right.
func (p Programs) Find(program string) (Program, error) {
	name, words, _ := strings.Cut(program, " ")
	parse, ok := p[name]
	if !ok {
		return Program{}, fmt.Errorf("unknown program %q; %s", nearest.Clip(name), nearest.Hint(name, slices.Sorted(maps.Keys(p))))
	}
	found, err := parse(words)
	if err != nil {
		return Program{}, fmt.Errorf("program %s: %w", name, err)
	}
	return found, nil
}

// T is a test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Test is the body of TestKill: it runs what the flags say, and writes an answer to
// out after each series. Without them it is the negative control: those programs, all
// of them, convict nothing that ships.
func (p Programs) Test(t T, r *Request, out io.Writer, survived ...string) {
	t.Helper()
	if r.Program != "" {
		program, err := p.Find(r.Program)
		if err == nil {
			err = Run(program, *r, func(a Answer) error { return Write(out, a) })
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range survived {
		program, err := p.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []string{"pct(3)", "pos"} {
			const executions = 500
			err := Run(program, Request{Strategy: by, Seeds: 2, Executions: executions}, func(a Answer) error {
				if a.Killed() || a.Executions != executions {
					t.Errorf("%s, %s, seed %d, execution %d: %s: %s", name, by, a.Seed, a.Executions, a.Verdict, a.Summary)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
