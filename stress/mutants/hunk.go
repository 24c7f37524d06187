package mutants

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

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
