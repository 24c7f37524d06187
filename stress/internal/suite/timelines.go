package suite

import (
	"maps"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A page shows the function around the line of a step: all of it if it has at most shortFunction lines, otherwise
// contextLines before and after. Code outside of a function also has contextLines, and a caller has callerLines.
const (
	shortFunction = 60
	contextLines  = 12
	callerLines   = 3
	longestLine   = 1000
)

// FromSources adds to a page, and to its timelines if there are any, data from the sources: the lines around each
// step, and the names of objects. It replaces file names by those that people read.
func FromSources(p *explain.Page, t *explain.Timelines) {
	ownRows(p.Table)
	nameObjects(p)
	p.EachFile(prose.Relative)
	WithSources(t, p.Objects)
}

// WithSources adds to timelines the source lines around each step, and the names of objects: the given ones for
// Minimal, and those from the sources. It replaces file names by those that people read.
func WithSources(t *explain.Timelines, objects map[int]string) {
	if t == nil {
		return
	}
	x := extract{of: t, sources: newSources(), files: map[string]sourceFile{}}
	t.Sources = map[string]map[int]string{}
	for _, l := range []*explain.Timeline{t.Minimal, t.Found} {
		if l == nil {
			continue
		}
		l.Objects = map[int]string{}
		if l == t.Minimal { // another execution numbers its objects differently
			maps.Copy(l.Objects, objects)
		}
		names := newLegend(l.Objects)
		for i := range l.Steps {
			s := &l.Steps[i]
			x.sources.name(names, s.Objects, use{s.Text, s.File, s.Line})
			s.Line = x.sources.nameSelected(names, s.File, s.Line, s.Via, s.Polls)
		}
		for i := range l.Steps {
			s := &l.Steps[i]
			s.File = x.add(s.File, s.Line, contextLines)
		}
		for i := range l.Frames {
			f := &l.Frames[i]
			f.File = x.add(f.File, f.Line, callerLines)
		}
	}
}

// An extract is the part of the sources that timelines need.
type extract struct {
	of      *explain.Timelines
	sources *sources
	files   map[string]sourceFile // by name
}

type sourceFile struct {
	name  string // for people
	lines []string
}

// add adds the lines around a line, and returns the name of the file for people.
func (x *extract) add(file string, line, around int) (name string) {
	if file == "" {
		return ""
	}
	f, known := x.files[file]
	if !known {
		f.name = prose.Relative(file)
		if text, err := input.Source(file); err == nil { // otherwise its source is not here
			f.lines = strings.Split(string(text), "\n")
		}
		x.files[file] = f
	}
	if line < 1 || line > len(f.lines) {
		return f.name
	}
	from, to := line-around, line+around
	if first, last := x.sources.function(file, line); around == contextLines && first > 0 {
		if from, to = max(from, first), min(to, last); last-first < shortFunction {
			from, to = first, last
		}
	}
	if x.of.Sources[f.name] == nil {
		x.of.Sources[f.name] = map[int]string{}
	}
	for n := max(1, from); n <= min(len(f.lines), to); n++ {
		x.of.Sources[f.name][n] = short(f.lines[n-1])
	}
	return f.name
}

// short cuts a line after longestLine bytes: a generated file may be a single line.
func short(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return strings.ToValidUTF8(line[:longestLine], "") + "..."
}
