package mutants

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/rouse-go/rouse/stress"
)

// Apply returns the files that the mutant changes, as it has them, by name. source
// is the root of the module. A text that does not occur exactly once is a
// *stress.InputError.
func (m *Mutant) Apply(source fs.FS) (map[string]string, error) {
	changed := map[string]string{}
	for _, e := range m.Edits {
		text, ok := changed[e.File]
		if !ok {
			data, err := fs.ReadFile(source, e.File)
			if err != nil {
				return nil, m.wrong(e, "cannot read what mutant %s changes: %v", m.Name, err)
			}
			text = strings.ReplaceAll(string(data), "\r\n", "\n")
		}
		n := strings.Count("\n"+text, "\n"+e.From)
		if n != 1 {
			first, _, _ := strings.Cut(e.From, "\n")
			return nil, m.wrong(e, "mutant %s: the text to be replaced occurs %d times in %s, want once: %s",
				m.Name, n, e.File, strings.TrimSpace(first))
		}
		changed[e.File] = strings.Replace("\n"+text, "\n"+e.From, "\n"+e.To, 1)[1:]
	}
	return changed, nil
}

func (m *Mutant) wrong(e Edit, format string, args ...any) error {
	return &stress.InputError{File: m.file, Line: e.line, Column: 1, Problem: fmt.Sprintf(format, args...)}
}
