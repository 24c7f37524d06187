package mutants

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/scenario"
)

// Catches: an error that is not at a line of the file, a mutant without what its header says, and hunks that are not where
// they say.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(strings.ReplaceAll(whole, "\n", "\r\n")))
	f.Add([]byte(strings.TrimSuffix(whole, "\te\n")))
	f.Add([]byte(strings.TrimSuffix(whole, "\n")))
	f.Add([]byte("about: x\nprogram: sleep y\nexecutions: 0\n"))
	f.Add([]byte("program: sleep x\npublished: pct(3) 1, ,\n"))
	f.Add([]byte("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n"))
	f.Add([]byte("GIT binary patch\nliteral 0\n"))
	f.Add([]byte(": \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse(wholeFile, data)
		lines := bytes.Count(data, []byte("\n")) + 1
		if err != nil {
			var bad *scenario.InputError
			if !errors.As(err, &bad) || bad.Line < 0 || bad.Line > lines || bad.Column != min(bad.Line, 1) {
				t.Fatalf("%q: %T %v", data, err, err)
			}
			return
		}
		for _, x := range m.trials {
			if x.Program == "" || x.executions < 1 || m.about != strings.TrimSpace(m.about) {
				t.Fatalf("%q: %+v", data, x)
			}
		}
		all := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		for i, h := range m.hunks {
			if h.line < 1 || h.line > len(all) || !strings.HasPrefix(all[h.line-1], "@@ -") || i > 0 && h.line <= m.hunks[i-1].line {
				t.Fatalf("%q: hunk %d is at line %d", data, i, h.line)
			}
		}
	})
}
