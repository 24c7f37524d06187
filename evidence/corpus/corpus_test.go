package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: a table with a mistake, a test that it names and that does not exist, a test without an entry, and a
// driver that is too long.
func TestTables(t *testing.T) {
	sets, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(".", sets); err != nil {
		t.Error(err)
	}
	if len(All(sets)) < 5 {
		t.Errorf("%d bugs, want 5 at least", len(All(sets)))
	}
}

// Catches: a mistake in a table that is not refused, or whose message does not say what is wanted, and where.
func TestTableMistakes(t *testing.T) {
	const good = `about: a
source: s
bugs:
  - name: n
    test: TestN
    kind: order
    verdict: deadlock
    what: w
`
	for _, c := range []struct{ dir, old, new, want string }{
		{"programs/p", "kind: order", "kind: ordr", `programs/p/bugs.yaml:6:11: kind: unknown word "ordr"; did you mean "order"?`},
		{"programs/p", "verdict: deadlock", "verdict: [leak, deadlok]", `programs/p/bugs.yaml:7:21: verdict: unknown word "deadlok"; did you mean "deadlock"?`},
		{"programs/p", "test: TestN", "tset: TestN", `programs/p/bugs.yaml:5:5: unknown key "tset" in a bug; did you mean "test"?`},
		{"programs/p", "what: w", "module: m", `a bug lacks the key "what"`},
		{"programs/p", "kind: order", "broken: v1", `a bug lacks the key "kind"`},
		{"programs/p", "what: w", "what: w\n    broken: v1", "are for a released library"},
		{"programs/p", "deadlock", "pass", "only a driver of hunt may expect the verdict pass"},
		{"released/p", "what: w", "what: w", `a bug lacks the key "module"`},
		{"released/p", "what: w", "what: w\n    module: m\n    broken: v1\n    issue: i", "want either fixed-version or unfixed: true"},
		{"hunt/p", "what: w", "what: w\n    module: m\n    broken: v1\n    unfixed: maybe", "unfixed: found maybe, want true"},
	} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, c.dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, c.dir, file), []byte(strings.Replace(good, c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(root); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: error %v, want %s", c.dir, c.new, err, c.want)
		}
	}
}
