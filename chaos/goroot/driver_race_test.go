//go:build race

package goroot

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A data race fails each execution that has it, so that it settles like other failures. Package testing
// does not report it as well.
func TestDriverRaces(t *testing.T) {
	b := build(t, filepath.Join("testdata", "driver"), "-race")
	a := b.one(t, explore("TestRaces", 100))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.DataRace || !strings.Contains(f.Summary, "data race: ") || !strings.Contains(f.Summary, "driver_test.go:") || strings.Contains(f.Output, "race detected") {
		t.Fatalf("%+v, %+v", a, f)
	}
	s := b.one(t, wire.Request{Do: wire.Settle, Test: "TestRaces", Recording: a.Failure.Recording})
	if s.Kind != wire.Settled || s.Failure.Verdict != verdict.DataRace || !strings.Contains(s.Failure.Report, "WARNING: DATA RACE") {
		t.Errorf("%+v, %+v", s, s.Failure)
	}
	p := b.ask(t, []string{"-test.parallel=2"}, explore("TestNames", 200), explore("TestMisc", 200), explore("TestPrints", 200), explore("FuzzFile", 200), explore("Example_unordered", 200),
		explore("Example", 200))
	for i, a := range p.answers {
		if a.Kind != wire.Explored {
			t.Errorf("request %d: %+v, %+v", i, a, a.Failure)
		}
	}
	if len(p.answers) != 6 {
		t.Errorf("%+v", p)
	}
}
