//go:build chaos

package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/scenario"
)

const coverageHead = `# Who fires what

Every fault that every hook point of ` + "`sleep` and `pool`" + ` offers, and the scenarios of [scenarios.yaml](../scenarios.yaml) that fire it. Those of the
third column have fired it under control, in %d executions with the seed 1, which repeat exactly. Those of the fourth are native: that they fire
it is up to each campaign, which ends with the verdict never-reached if they do not. ` + "`stress points`" + ` says what the points are.

The points of the drop-ins (` + "`" + `sync/*` + "`" + `, ` + "`" + `atomic/*` + "`" + `, ` + "`" + `time/*` + "`" + `, ` + "`" + `context/*` + "`" + `, ` + "`" + `channel/*` + "`" + `) are not here: they are operations of package hooks, not windows of a protocol of ours, and a
line of a plan there strikes every lock or atomic of the program alike. What their faults do is tested beside the drop-ins.

Generated: ` + "`go generate ./stress`" + `; a test fails when this is not so any more, and when a fault has nobody in its third column.

`

// TestEveryFaultIsFired: of every hook point of the subjects, every fault, by a controlled scenario.
func TestEveryFaultIsFired(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Cover(t.Context(), scenarios, InRooms(scenario.Points(), "sleep", "pool", "burst"))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 250 {
		t.Errorf("%d faults at all points", len(rows))
	}
	for _, r := range rows {
		if len(r.Controlled) == 0 {
			t.Errorf("no controlled scenario fires %s at %s", r.Fault, r.Point)
		}
	}
	got := fmt.Sprintf(coverageHead, coverageExecutions) + string(CoverageTable(rows))
	file := filepath.Join("..", "..", "..", "docs", "faults.md")
	if *golden.Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is of other scenarios; go generate ./stress writes it. Found\n%s", file, differing(string(want), got))
	}
}

// differing are the lines of got that want does not have.
func differing(want, got string) string {
	had := strings.Split(want, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(got, "\n"), func(l string) bool { return slices.Contains(had, l) }), "\n")
}

// TestCoverSeesWhatIsNotFired: a plan that names a fault does not fire it by that.
func TestCoverSeesWhatIsNotFired(t *testing.T) {
	sc := tiny("inject", "random", 1)
	sc.Plan = []chaos.Fault{
		{At: "pool/inject-pre", Kind: hooks.Yields},
		{At: "pool/bcast-push", Kind: hooks.Yields}, // nobody broadcasts
	}
	native := sc
	native.Name, native.Mode, native.Strategy = "native", scenario.Native, ""
	rows, err := Cover(t.Context(), []scenario.Scenario{sc, native}, InRooms(scenario.Points(), "pool"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		fired, named := r.Point == "pool/inject-pre" && r.Fault == "yield", r.Fault == "yield" && (r.Point == "pool/inject-pre" || r.Point == "pool/bcast-push")
		if (len(r.Controlled) > 0) != fired || (r.Fires > 0) != fired || (len(r.Native) > 0) != named {
			t.Errorf("%+v", r)
		}
	}
}
