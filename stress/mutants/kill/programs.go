package kill

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Programs maps the first word of a program's name to a function that makes the program from the rest.
type Programs map[string]func(words string) (Program, error)

// Find returns the named program.
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

// T is the part of a testing.TB that Test needs.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Test is the body of TestKill: it runs the request and writes an answer to out after each series. If
// the request names no program it is the negative control: these programs must pass (with -short, a
// tenth of the executions).
func (p Programs) Test(t T, r *Request, out io.Writer, passing ...string) {
	t.Helper()
	requests, answer := []Request{*r}, func(_ Request, a Answer) error { return write(out, a) }
	if r.Program == "" {
		requests = nil
		executions := 500
		if testing.Short() {
			executions = 50
		}
		for _, name := range passing {
			for _, by := range []string{"pct(3)", "pos"} {
				requests = append(requests, Request{Program: name, Strategy: by, Seeds: 2, Executions: executions})
			}
		}
		answer = func(r Request, a Answer) error {
			if a.Killed() || a.Executions != r.Executions {
				t.Errorf("%s, %s, seed %d, execution %d: %s: %s", r.Program, r.Strategy, a.Seed, a.Executions, a.Verdict, a.Summary)
			}
			return nil
		}
	}
	for _, r := range requests {
		program, err := p.Find(r.Program)
		if err == nil {
			err = run(program, r, func(a Answer) error { return answer(r, a) })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
