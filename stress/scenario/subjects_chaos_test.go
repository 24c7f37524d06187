//go:build chaos

package scenario

import (
	"testing"

	"github.com/rouse-go/rouse/stress/internal/fixture"
)

// TestPoolAmongOthers: its scenarios are known by their key pool, and so are recordings.
func TestPoolAmongOthers(t *testing.T) {
	const file = `version: 1
scenarios:
  - {name: a, about: For this test., pool: {workers: [1]}, workload: inject, expect: pass}
  - {name: b, about: For this test., workload: add, expect: pass}
`
	scenarios, err := Load("f.yaml", []byte(file), fixture.Numbers().Subject(), poolSubject())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Subject != "pool" || scenarios[1].Subject != "number" {
		t.Errorf("of %q and %q", scenarios[0].Subject, scenarios[1].Subject)
	}
}
