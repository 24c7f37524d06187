package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestShardsAreThePartition: each execution is in one shard, and where, depends on no
// machine.
func TestShardsAreThePartition(t *testing.T) {
	three := scenario.Scenario{Name: "three", Subject: "pool", Setup: map[string]string{"workers": "[1, 2, 3]"}}
	batches := scenario.Scenario{Name: "batches", Mode: scenario.Control, Strategy: "random", Subject: "pool", Setup: map[string]string{"workers": "[1]"}}
	all := scenario.Scenario{Name: "all", Mode: scenario.Control, Strategy: "dfs", Subject: "pool", Setup: map[string]string{"workers": "[1]"}}
	for _, sc := range []*scenario.Scenario{&three, &batches, &all} {
		for _, of := range []int{1, 2, 3, 7} {
			const bound = 2000
			where := make([]int, bound)
			for i := range of {
				s := scenario.Shard{i, of}
				if sc == &all && !s.Has(sc, 0) {
					continue
				}
				n, count := s.From(sc, 0), 0
				for ; n < bound; n = s.From(sc, n+1) {
					if s.Below(sc, n) != count {
						t.Fatalf("%s, %s: %d below %d, want %d", sc.Name, s, s.Below(sc, n), n, count)
					}
					where[n]++
					count++
				}
			}
			if i := slices.IndexFunc(where, func(n int) bool { return n != 1 }); i >= 0 {
				t.Errorf("%s, %d shards: execution %d is in %d of them", sc.Name, of, i, where[i])
			}
		}
	}
	var got []string
	for _, name := range []string{"a", "b", "window-registered"} {
		sc := scenario.Scenario{Name: name, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"}}
		got = append(got, fmt.Sprint(scenario.Shard{0, 4}.From(&sc, 0), scenario.Shard{1, 4}.From(&sc, 0), scenario.Shard{2, 4}.From(&sc, 9), scenario.Shard{3, 3}.Below(&sc, 0)))
	}
	if s, want := strings.Join(got, ", "), "4 6 9 0, 6 0 10 0, 6 0 10 0"; s != want {
		t.Errorf("the shards of old campaigns do not go with those of new ones: got %s, want %s", s, want)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]scenario.Shard{"0/1": {0, 1}, "3/4": {3, 4}, "0/65536": {0, 65536}} {
		if s, err := scenario.ParseShard(text); err != nil || s != want || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "1", "4/4", "1/0", "-1/4", "1/65537", "1/2/3", "a/b", "1/"} {
		if s, err := scenario.ParseShard(text); err == nil {
			t.Errorf("%q is taken as %v", text, s)
		}
	}
}

// TestShardsRunTheCampaign: together they run what one campaign would, no more and no less.
func TestShardsRunTheCampaign(t *testing.T) {
	scenarios := []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}
	run := func(s scenario.Shard) (begun []string) {
		o := Options{Seed: 5, Executions: 11, Out: t.TempDir(), Journal: true, Shard: s}
		report, err := Run(t.Context(), scenarios, o)
		if err != nil || !report.AsExpected() {
			t.Fatal(err, report)
		}
		text, err := os.ReadFile(filepath.Join(o.Out, JournalName))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, rest, ok := strings.Cut(line, `"begin":`); ok && strings.Contains(line, `"kind":"begin"`) {
				rest, _, _ = strings.Cut(rest, "}")
				begun = append(begun, rest) // with the number, the seed and the pool size
			}
		}
		return begun
	}
	want := run(scenario.Shard{})
	var got []string
	for i := range 3 {
		part := run(scenario.Shard{i, 3})
		if len(part) < 4 {
			t.Errorf("shard %d has %d executions of 22", i, len(part))
		}
		got = append(got, part...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOpen: what the other shards may know better is no failure of this one.
func TestOpen(t *testing.T) {
	silent, control, fails := scripted("silent", verdict.Pass, "pass/silent"), scripted("control", verdict.Leak, "pass"), scripted("fails", verdict.Pass, "leak")
	silent.Plan = drop
	report, err := Run(t.Context(), []scenario.Scenario{silent, control, fails, scripted("none", verdict.Pass, "pass")},
		Options{Seed: 5, Executions: 2, Out: t.TempDir(), Shard: scenario.Shard{0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Scenarios {
		sc := scenario.Scenario{Name: s.Name, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"}}
		runs := scenario.Shard{0, 2}.Has(&sc, 0)
		if open := s.Name != "fails" && (s.Name != "none" || !runs) || !runs; s.Open != open || (s.Executions > 0) != runs {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
}
