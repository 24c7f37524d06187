package mutants

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/scenario"
)

// parse reads a mutant from NAME.diff: a header of lines "key: value", and then hunks as diff -u and
// git diff write them. Every error is a *scenario.InputError.
//
//	# Empty lines and those that begin with # are comments.
//	about: The final check is gone.   the defect
//
//	program: sleep protocol meet=2    the package whose TestKill runs it, and the program
//	expect: lost-wakeup               a verdict; pass if this program does not detect the mutant
//	note: Why it does not.            required with expect: pass
//	published: random 51824, pct(5) 235   executions that a prototype needed
//	executions: 10000                 of a series, at most; this is the default
//	strategies: pct(5), pos           by default random, pct(3), pct(5), pos, and the published
//	long: random                      those of them that run only with --long
//
//	--- a/sleep/jec.go                a file of sleep or pool, no test
//	+++ b/sleep/jec.go
//	@@ -152,3 +152,3 @@
//
// There may be more programs, each with its own keys, more files and more hunks. TestAllAreComplete
// reports mistakes that parse does not see, such as a missing key.
func parse(file string, data []byte) (mutant, error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	m := mutant{name: strings.TrimSuffix(path.Base(file), ".diff"), file: file}
	diffs, head, err := gitdiff.Parse(strings.NewReader(text))
	if err != nil {
		return mutant{}, m.wrong(0, "%s", strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if err := m.header(head); err != nil {
		return mutant{}, err
	}
	if err := m.diff(diffs, text); err != nil {
		return mutant{}, err
	}
	return m, nil
}

// wrong returns an error in the mutant's file; line 0 means no particular line.
func (m *mutant) wrong(line int, format string, args ...any) error {
	return &scenario.InputError{File: m.file, Line: line, Column: min(line, 1), Problem: fmt.Sprintf(format, args...)}
}

var keys = []string{"about", "program", "expect", "note", "published", "executions", "strategies", "long"}

func (m *mutant) header(head string) error {
	seen := map[string]bool{} // the keys of the mutant, or of the last program
	for i, line := range strings.Split(head, "\n") {
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if key == "program" {
			m.trials = append(m.trials, trial{executions: 10_000})
			clear(seen)
		}
		switch {
		case !slices.Contains(keys, key):
			return m.wrong(i+1, "unknown key %q; %s", nearest.Clip(key), nearest.Hint(key, keys))
		case value == "":
			return m.wrong(i+1, "%s: found nothing, want a value", key)
		case seen[key]:
			return m.wrong(i+1, "duplicate key %q", key)
		case key == "about" && len(m.trials) > 0:
			return m.wrong(i+1, "found about after a program, want it first")
		case key == "about":
			m.about = value
		case len(m.trials) == 0:
			return m.wrong(i+1, "found %s before the first program, want it after", key)
		default:
			if err := m.trials[len(m.trials)-1].set(key, value); err != nil {
				return m.wrong(i+1, "%s: %v", key, err)
			}
		}
		seen[key] = true
	}
	return nil
}

// packages lists the packages that mutants change and whose tests detect them.
var packages = []string{"sleep", "pool"}

func (t *trial) set(key, value string) (err error) {
	switch key {
	case "program":
		t.Package, t.Program, _ = strings.Cut(value, " ")
		if !slices.Contains(packages, t.Package) || t.Program == "" {
			return fmt.Errorf("found %q, want one of the packages %s, and a program", nearest.Clip(value), strings.Join(packages, ", "))
		}
	case "expect":
		if t.Expect = verdict.Verdict(value); !slices.Contains(verdict.All(), t.Expect) {
			return fmt.Errorf("found %q, want one of the verdicts %v", nearest.Clip(value), verdict.All())
		}
	case "note":
		t.Note = value
	case "published":
		for _, text := range strings.Split(value, ",") {
			by, executions, _ := strings.Cut(strings.TrimSpace(text), " ")
			f := figure{Strategy: by}
			if _, err := strategy.Parse(by); err != nil {
				return err
			}
			if f.Executions, err = count(executions); err != nil {
				return err
			}
			t.Published = append(t.Published, f)
		}
	case "executions":
		t.executions, err = count(value)
	case "strategies":
		t.by, err = strategies(value)
	case "long":
		t.long, err = strategies(value)
	}
	return err
}

func count(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("found %q, want a number of executions, 1 or more", nearest.Clip(text))
	}
	return int(n), nil
}

func strategies(list string) (names []string, err error) {
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if _, err := strategy.Parse(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// diff takes over the hunks of text. gitdiff skips lines between hunks, such as the last line of a
// hunk whose @@ line announces too few; here they are an error.
func (m *mutant) diff(files []*gitdiff.File, text string) error {
	lines := strings.Split(text, "\n")
	line := 0
	for _, f := range files {
		for _, h := range f.TextFragments {
			line += slices.IndexFunc(lines[line:], func(l string) bool { return strings.HasPrefix(l, "@@ -") }) + 1
			m.hunks = append(m.hunks, hunk{file: strings.TrimPrefix(f.NewName, "b/"), line: line, TextFragment: h})
			line += len(h.Lines)
			if line < len(lines) && lines[line] != "" && !afterHunk.MatchString(lines[line]) { // the last line may have no end
				return m.wrong(line+1, "found a line that is part of no hunk: %q", nearest.Clip(lines[line]))
			}
		}
	}
	return nil
}

var afterHunk = regexp.MustCompile("^(@@ -|--- |diff )")

// A hunk is a change of one place in a file.
type hunk struct {
	file string // from the root of the module, with slashes
	line int    // of its @@ line in the mutant's file
	*gitdiff.TextFragment
}

// apply returns the changed contents of the files that the mutant changes, by name. source is the root of
// the module. A hunk that does not fit exactly one place is a *stress.InputError.
func (m *mutant) apply(source fs.FS) (map[string]string, error) {
	changed := map[string]string{}
	for _, h := range m.hunks {
		text, ok := changed[h.file]
		if !ok {
			data, err := fs.ReadFile(source, h.file)
			if err != nil {
				return nil, m.wrong(h.line, "mutant %s: %v", m.name, err)
			}
			text = strings.ReplaceAll(string(data), "\r\n", "\n")
		}
		text, places := h.apply(text)
		if places != 1 {
			return nil, m.wrong(h.line, "mutant %s: the hunk %s fits %d places in %s, want one", m.name, h.Header(), places, h.file)
		}
		changed[h.file] = text
	}
	return changed, nil
}

// apply returns the text with the hunk applied, and the number of places that it fits, which should be one.
// Like patch, it ignores outer lines of context if no place has them.
func (h hunk) apply(text string) (changed string, places int) {
	lines := strings.SplitAfter(text, "\n")
	for fuzz := range max(h.LeadingContext, h.TrailingContext) + 1 {
		var from, to []string
		for _, l := range h.Lines[min(fuzz, h.LeadingContext) : int64(len(h.Lines))-min(fuzz, h.TrailingContext)] {
			if l.Old() {
				from = append(from, l.Line)
			}
			if l.New() {
				to = append(to, l.Line)
			}
		}
		for i := 0; i+len(from) <= len(lines) && len(from) > 0; i++ {
			if slices.Equal(lines[i:i+len(from)], from) {
				places++
				changed = strings.Join(slices.Concat(lines[:i], to, lines[i+len(from):]), "")
			}
		}
		if places > 0 {
			break
		}
	}
	return changed, places
}
