package suite

import (
	"bytes"
	"maps"
	"os"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// contextLines are shown before and after the line of a step.
const contextLines = 3

// FromSources adds to a page, and to its timelines if there are any, what the sources say: the lines around each
// step, and the names of objects. Files get the names that people read.
func FromSources(p *explain.Page, t *explain.Timelines) {
	ownRows(p.Table)
	nameObjects(p)
	p.EachFile(prose.Relative)
	WithSources(t, p.Objects)
}

// WithSources adds to timelines the lines of the sources around each step, and the names of objects: those of
// Minimal that are known, and what the sources say. Files get the names that people read.
func WithSources(t *explain.Timelines, objects map[int]string) {
	if t == nil {
		return
	}
	t.Sources = map[string]map[int]string{}
	type source struct {
		name  string // that people read
		lines [][]byte
	}
	read := map[string]source{}
	names := newSources()
	for _, l := range []*explain.Timeline{t.Minimal, t.Found} {
		if l == nil {
			continue
		}
		l.Objects = map[int]string{}
		if l == t.Minimal { // the numbers of objects in another execution are others
			maps.Copy(l.Objects, objects)
		}
		for _, s := range l.Steps {
			names.name(l.Objects, s.Objects, use{s.Text, s.File, s.Line})
		}
		for i := range l.Steps {
			s := &l.Steps[i]
			if s.File == "" {
				continue
			}
			from, known := read[s.File]
			if !known {
				from.name = prose.Relative(s.File)
				if text, err := os.ReadFile(s.File); err == nil { // else it has no sources here
					from.lines = bytes.Split(text, []byte("\n"))
				}
				read[s.File] = from
			}
			s.File = from.name
			for n := max(1, s.Line-contextLines); s.Line > 0 && n <= min(len(from.lines), s.Line+contextLines); n++ {
				if t.Sources[s.File] == nil {
					t.Sources[s.File] = map[int]string{}
				}
				t.Sources[s.File][n] = string(from.lines[n-1])
			}
		}
	}
}
