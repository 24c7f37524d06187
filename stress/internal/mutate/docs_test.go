package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/internal/operator"
)

// TestOperatorsInDocs: docs/mutate.md has the operators as they are; -update writes them.
func TestOperatorsInDocs(t *testing.T) {
	page := filepath.Join("..", "..", "..", "docs", "mutate.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- operators -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the operators", page)
	}
	want := before + begin + "\n" + operator.Table() + "\n" + end + after
	if *golden.Update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Errorf("%s has other operators; go test ./stress/internal/mutate -run TestOperatorsInDocs -update", page)
	}
}
