package mutants

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress"
)

// Parse reads a mutant from what the file of that name holds. Every error is a
// *stress.InputError.
//
//	# A line that begins with # says nothing; nor does an empty one.
//	mutant: no-final-check            as the file is called
//	about: The final check is gone.   what the defect is
//
//	edit: sleep/jec.go                in sleep or pool, no test
//	 	context                       lines as in a diff: those that begin with a space
//	-	old text                      or - must be in the file exactly once, on end;
//	+	new text                      those that begin with a space or + replace them
//
//	trial: sleep protocol meet=2      the package whose TestKill runs it, and the program
//	expect: lost-wakeup               a verdict; pass if the mutant survives this program
//	note: Why it is so.               needed with expect: pass
//	published: random 51824, pct(5) 235
//	executions: 10000                 of a series, at most; this is the default
//	strategies: pct(5), pos           by default random, pct(3), pct(5), pos, and the published
//	long: random                      those of them that take too long for every day
//
// There may be more edits and more trials; a trial whose strategies all take too long is
// not made every day. An edit ends before the first line that
// is not part of it.
func Parse(file string, data []byte) (Mutant, error) {
	r := &reader{file: file, m: Mutant{file: file}}
	if !utf8.Valid(data) {
		r.fail(0, "found bytes that are no UTF-8, want text")
	}
	for i, line := range strings.Split(string(data), "\n") {
		r.line(i+1, strings.TrimSuffix(line, "\r"))
	}
	r.end()
	if r.err != nil {
		return Mutant{}, r.err
	}
	return r.m, nil
}

// A reader keeps the first error.
type reader struct {
	file string
	m    Mutant
	err  *stress.InputError
	// edit and trial are those that lines belong to; nil if they do not.
	edit  *Edit
	trial *Trial
	set   map[string]bool // the keys of this trial, or of the mutant
	at    int             // the line at which the trial began, or 1
}

func (r *reader) fail(line int, format string, args ...any) { r.failAt(line, 1, format, args...) }

func (r *reader) failAt(line, column int, format string, args ...any) {
	if r.err == nil {
		r.err = &stress.InputError{File: r.file, Line: line, Column: column, Problem: fmt.Sprintf(format, args...)}
		if line == 0 {
			r.err.Column = 0
		}
	}
}

var keys = []string{"mutant", "about", "edit", "trial", "expect", "note", "published", "executions", "strategies", "long"}

func (r *reader) line(n int, line string) {
	switch {
	case r.err != nil:
		return
	case r.edit != nil && line != "" && strings.Contains(" -+", line[:1]):
		r.editLine(line)
		return
	case r.edit != nil:
		r.endEdit()
	}
	if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
		return
	}
	key, value, ok := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	column := utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeft(strings.TrimPrefix(line, key+":"), " \t")) + 1
	switch {
	case !slices.Contains(keys, key):
		r.fail(n, "unknown key %q; %s", nearest.Clip(key), nearest.Hint(key, keys))
	case !ok || value == "":
		r.failAt(n, column, "%s: found nothing, want a value", key)
	default:
		r.key(n, column, key, value)
	}
}

func (r *reader) key(n, column int, key, value string) {
	switch key {
	case "edit":
		if r.trial != nil {
			r.fail(n, "found an edit behind a trial, want all edits before")
			return
		}
		r.m.Edits = append(r.m.Edits, Edit{File: value, line: n})
		r.edit = &r.m.Edits[len(r.m.Edits)-1]
		if !editable(value) {
			r.failAt(n, column, "edit: found %q, want a file of sleep or pool that is no test, such as sleep/jec.go", nearest.Clip(value))
		}
		return
	case "trial":
		r.endTrial()
		r.m.Trials = append(r.m.Trials, Trial{Executions: 10_000})
		r.trial = &r.m.Trials[len(r.m.Trials)-1]
		r.set, r.at = map[string]bool{}, n
		r.trial.Package, r.trial.Program, _ = strings.Cut(value, " ")
		if !slices.Contains(packages, r.trial.Package) || r.trial.Program == "" {
			r.failAt(n, column, "trial: found %q, want one of the packages %s, and a program", nearest.Clip(value), strings.Join(packages, ", "))
		}
		return
	}
	ofMutant := key == "mutant" || key == "about"
	switch {
	case ofMutant && r.trial != nil:
		r.fail(n, "found %s behind a trial, want it at the head", key)
	case !ofMutant && r.trial == nil:
		r.fail(n, "found %s before any trial, want it behind one", key)
	case r.set[key]:
		r.fail(n, "duplicate key %q", key)
	}
	if r.err != nil {
		return
	}
	if r.set == nil {
		r.set = map[string]bool{}
	}
	r.set[key] = true
	r.value(n, column, key, value)
}

func (r *reader) value(n, column int, key, value string) {
	switch key {
	case "mutant":
		r.m.Name = value
		if want := strings.TrimSuffix(path.Base(r.file), ".mutant"); value != want || !mutantName.MatchString(value) {
			r.failAt(n, column, "mutant: found %q, want %q: lower-case words joined by hyphens, as the file is called", nearest.Clip(value), want)
		}
	case "about":
		r.m.About = value
	case "note":
		r.trial.Note = value
	case "expect":
		var have []string
		for _, v := range verdict.All() {
			have = append(have, string(v))
		}
		r.trial.Expect = verdict.Verdict(value)
		if !slices.Contains(have, value) {
			r.failAt(n, column, "unknown verdict %q; %s", nearest.Clip(value), nearest.Hint(value, have))
		}
	case "executions":
		r.trial.Executions = r.count(n, column, key, value)
	case "published":
		for _, figure := range strings.Split(value, ",") {
			by, count, _ := strings.Cut(strings.TrimSpace(figure), " ")
			r.trial.Published = append(r.trial.Published, Figure{r.strategy(n, column, by), r.count(n, column, key, count)})
		}
	case "strategies":
		r.trial.By = r.strategies(n, column, value)
	case "long":
		r.trial.Long = r.strategies(n, column, value)
	}
}

func (r *reader) strategies(n, column int, value string) (names []string) {
	for _, by := range strings.Split(value, ",") {
		names = append(names, r.strategy(n, column, strings.TrimSpace(by)))
	}
	return names
}

var mutantName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// packages are those that mutants change and whose tests convict them.
var packages = []string{"sleep", "pool"}

// editable reports whether a mutant may change the file.
func editable(file string) bool {
	return slices.Contains(packages, path.Dir(file)) && path.Clean(file) == file && !strings.Contains(file, `\`) &&
		strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
}

func (r *reader) count(n, column int, key, text string) int {
	count, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
	if err != nil || count == 0 {
		r.failAt(n, column, "%s: found %q, want a number of executions, 1 or more", key, nearest.Clip(text))
	}
	return int(count)
}

func (r *reader) strategy(n, column int, name string) string {
	if _, err := strategy.Parse(name); err != nil {
		r.failAt(n, column, "%v", err)
	}
	return name
}

func (r *reader) editLine(line string) {
	text := line[1:] + "\n"
	if line[0] != '+' {
		r.edit.From += text
	}
	if line[0] != '-' {
		r.edit.To += text
	}
}

func (r *reader) endEdit() {
	switch e := r.edit; {
	case e.From == "":
		r.fail(e.line, "edit: found nothing to replace, want lines that begin with - or a space")
	case e.From == e.To:
		r.fail(e.line, "edit: found nothing that changes, want lines that begin with - or +")
	}
	r.edit = nil
}

func (r *reader) endTrial() {
	t := r.trial
	if t == nil {
		if !r.set["mutant"] || !r.set["about"] {
			r.fail(1, "want the keys mutant and about at the head")
		}
		return
	}
	switch {
	case t.Expect == "":
		r.fail(r.at, "a trial lacks the key \"expect\"")
	case t.Expect == verdict.Pass && t.Note == "":
		r.fail(r.at, "a trial that expects pass lacks the key \"note\": why nobody can convict it")
	case t.Expect == verdict.Pass && len(t.Published) > 0:
		r.fail(r.at, "a trial that expects pass has published figures, want none")
	}
}

func (r *reader) end() {
	if r.edit != nil {
		r.endEdit()
	}
	r.endTrial()
	switch {
	case r.trial == nil:
		r.fail(0, "found no trial, want one or more")
	case r.m.Name == Control && len(r.m.Edits) > 0:
		r.fail(r.m.Edits[0].line, "found an edit, want none: %s is the control", Control)
	case r.m.Name == Control && r.m.ToBeKilled():
		r.fail(0, "found a trial that convicts the control, want expect: pass")
	case r.m.Name != Control && len(r.m.Edits) == 0:
		r.fail(0, "found no edit, want one or more")
	}
}
