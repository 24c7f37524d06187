//go:build chaos

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A killedCampaign is one that is killed with -9 and resumed, in processes of its own.
type killedCampaign struct {
	killable
	counted string // the file
}

func newKilled(t *testing.T, o Options, scenarios ...scenario.Scenario) *killedCampaign {
	t.Helper()
	o.Out = t.TempDir()
	return &killedCampaign{killable{scenarios, o, 0}, filepath.Join(t.TempDir(), "count")}
}

// start starts a process of the campaign that holds before that execution; -1 is none.
func (k *killedCampaign) start(t *testing.T, hold int) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(k.killable)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], campaignArg, string(text))
	cmd.Env = append(os.Environ(), countFile+"="+k.counted, fmt.Sprintf("%s=%d", holdAt, hold))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// kill lets the campaign come to that execution, and kills it when the journal has what it has to.
func (k *killedCampaign) kill(t *testing.T, at int, has func(j *Journal) bool) {
	t.Helper()
	held := k.counted + heldSuffix
	os.Remove(held) //nolint:errcheck // there may be none
	cmd := k.start(t, at)
	defer cmd.Wait()         //nolint:errcheck // it is killed
	defer cmd.Process.Kill() //nolint:errcheck // likewise
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
		j, err := ReadJournal(k.Options.Out)
		if _, none := os.Stat(held); none == nil && err == nil && j != nil && j.current != nil && has(j) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to execution %d: %v, %+v", at, err, j)
		}
	}
}

// finish lets the campaign come to its end.
func (k *killedCampaign) finish(t *testing.T) (r report.Report, recorded string, executions int) {
	t.Helper()
	if err := k.start(t, -1).Wait(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(k.Options.Out, reportName))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		for _, path := range []*string{&s.Recording, &s.Shrunk} {
			if *path != "" {
				text, err := os.ReadFile(*path)
				if err != nil {
					t.Fatal(err)
				}
				recorded += string(text)
			}
			*path = ""
		}
		if int(s.Took.Count()) != s.Executions {
			t.Errorf("%s: %d executions took time, of %d", s.Name, s.Took.Count(), s.Executions)
		}
		s.Duration, s.Took = 0, outcome.Latencies{}
	}
	count, err := os.Stat(k.counted)
	if err != nil {
		t.Fatal(err)
	}
	return r, recorded, int(count.Size())
}

// TestKilledWithinABatch: a campaign that is killed with -9 in a batch runs that batch again from its
// beginning, and no other, and comes to the same end. An exhaustive scenario is one batch.
func TestKilledWithinABatch(t *testing.T) {
	bounded := func(workload, by string, executions int, workers ...int) scenario.Scenario {
		sc := tiny(workload, by, workers...)
		sc.Executions, sc.Sizes = executions, map[string]string{"jobs": "1"}
		return sc
	}
	fails := bounded("meet-inside", "pct(7)", 0, 3)
	fails.Sizes = nil
	dropped := func(by string) scenario.Scenario {
		sc := bounded("inject", by, 0, 2)
		sc.Sizes["jobs"], sc.Plan = "2", []chaos.Fault{{At: "sleep/latch-set-notify", Kind: hooks.Drops, Count: 1}}
		return sc
	}
	for name, c := range map[string]struct {
		scenario scenario.Scenario
		kills    []int
	}{
		"dfs(2)":              {bounded("join", "dfs(2)", 0, 1), []int{1, 700, 3500}},
		"dfs(1) of two sizes": {bounded("join", "dfs(1)", 1500, 1, 2), []int{3, 130, 600}},
		"dpor":                {bounded("inject", "dpor", 1200, 1, 2), []int{2, 400, 1000}},
		"dfs":                 {bounded("join", "dfs", 600, 1), []int{5, 300}},
		"pct":                 {bounded("inject", "pct", 300, 1, 2), []int{1, 60, 127, 200}},
		"pos":                 {bounded("inject", "pos", 300, 2), []int{60, 255}},
		"urw":                 {bounded("inject", "urw", 200, 1, 2), []int{1, 2, 60, 190}},
		"surw":                {bounded("inject", "surw", 200, 1, 2), []int{1, 2, 60, 190}},
		"portfolio":           {bounded("inject", "portfolio", 200, 1, 2), []int{3, 60, 100, 190}},
		"random":              {bounded("inject", "random", 200, 2), []int{70}},
		"a failure by pct":    {fails, []int{-5, -1}}, // before it
		"a failure by dfs(2)": {dropped("dfs(2)"), []int{-5, -1}},
		"a failure by dpor":   {dropped("dpor"), []int{-50, -1}},
	} {
		if testing.Short() && !slices.Contains([]string{"dfs(1) of two sizes", "portfolio", "random", "a failure by dfs(2)"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			undisturbed := newKilled(t, Options{Seed: 1, Executions: c.scenario.Executions}, c.scenario)
			if c.scenario.Executions == 0 {
				undisturbed.Options.Executions = 20_000
			}
			want, text, executions := undisturbed.finish(t)
			s := want.Scenarios[0]
			t.Logf("%s after %d executions; complete: %t", s.Verdict, s.Executions, s.Complete)
			if failed := s.Verdict != verdict.Pass; failed != strings.HasPrefix(name, "a failure") || failed && text == "" {
				t.Fatalf("it is %+v", s)
			}
			disturbed := newKilled(t, undisturbed.Options, c.scenario)
			again := 0
			for i, at := range c.kills {
				if at < 0 {
					at += s.Failure.Execution
				}
				disturbed.Growth = int64(i % 2) // with each line the journal is rewritten, or not
				batch, from := at/scenario.BatchSize, at-at%scenario.BatchSize
				if c.scenario.Exhaustive() {
					batch, from = 0, 0
				}
				disturbed.kill(t, at, func(j *Journal) bool { return j.current.Next == batch && slices.Contains(j.running, from) })
				again += at - from + 1 // that one had begun
			}
			got, text2, executions2 := disturbed.finish(t)
			if !reflect.DeepEqual(got.Scenarios, want.Scenarios) || text2 != text {
				t.Errorf("got  %+v, %s\nwant %+v, %s", got.Scenarios, text2, want.Scenarios, text)
			}
			if executions2 != executions+again {
				t.Errorf("%d executions began, %d without the kills: want %d more", executions2, executions, again)
			}
		})
	}
}

// TestKilledBetweenTurns: a campaign whose scenarios run in turns is killed with -9 in the first round and in
// later turns, and comes to the same end, with the same orders counted.
func TestKilledBetweenTurns(t *testing.T) {
	t.Parallel()
	var scenarios []scenario.Scenario
	for _, by := range []string{"random", "pos", "surw"} {
		sc := tiny("inject", by, 1, 2)
		sc.Name, sc.Executions = "tiny-"+by, 5*scenario.BatchSize
		scenarios = append(scenarios, sc)
	}
	undisturbed := newKilled(t, Options{Seed: 1, For: time.Hour}, scenarios...)
	want, _, executions := undisturbed.finish(t)
	for _, s := range want.Scenarios { // the first round has half a batch of each
		if n := leastControlled + 4*scenario.BatchSize; s.Executions != n || s.Orders == nil || s.Orders.Last != n || s.Orders.New < 10 {
			t.Fatalf("%+v, %+v", s, s.Orders)
		}
	}
	disturbed := newKilled(t, undisturbed.Options, scenarios...)
	again := 0
	for i, kill := range []struct{ at, begun int }{{30, 1}, {40, 1}, {scenario.BatchSize + 20, 3}, {3*scenario.BatchSize + 5, 3}} {
		disturbed.Growth = int64(i % 2) // with each line the journal is rewritten, or not
		disturbed.kill(t, kill.at, func(j *Journal) bool {
			begun := 0
			for _, e := range j.entries {
				if e != nil {
					begun++
				}
			}
			return begun >= kill.begun && slices.Contains(j.running, kill.at-kill.at%scenario.BatchSize)
		})
		again += kill.at%scenario.BatchSize + 1
	}
	got, _, executions2 := disturbed.finish(t)
	if !reflect.DeepEqual(got.Scenarios, want.Scenarios) {
		t.Errorf("got  %+v\nwant %+v", got.Scenarios, want.Scenarios)
	}
	if executions2 != executions+again {
		t.Errorf("%d executions began, %d without the kills: want %d more", executions2, executions, again)
	}
}

// TestKilledWhileBatchesWait: what other processes have done beyond the batch that is under way is not
// done again.
func TestKilledWhileBatchesWait(t *testing.T) {
	t.Parallel()
	sc := tiny("inject", "portfolio", 1, 2)
	o := Options{Seed: 1, Executions: 5*scenario.BatchSize - 7, Procs: 2}
	undisturbed := newKilled(t, o, sc)
	want, _, executions := undisturbed.finish(t)
	disturbed := newKilled(t, o, sc)
	disturbed.kill(t, 5, func(j *Journal) bool {
		whole := func(b int) bool {
			return j.current.waiting[b] != nil && j.current.waiting[b].Next == (b+1)*scenario.BatchSize
		}
		return len(j.current.waiting) == 2 && whole(1) && whole(3) && slices.Equal(j.running, []int{0})
	})
	disturbed.Options.Procs = 3 // however many
	got, _, executions2 := disturbed.finish(t)
	if !reflect.DeepEqual(got.Scenarios, want.Scenarios) {
		t.Errorf("got  %+v\nwant %+v", got.Scenarios, want.Scenarios)
	}
	if executions2 != executions+6 {
		t.Errorf("%d executions began, %d without the kill: want 6 more, from 0 to 5", executions2, executions)
	}
}

// TestInterruptedWithinABatch: the report of a campaign that is interrupted has what was done in the batch
// that was running, as the progress had; a campaign that resumes it runs that batch again.
func TestInterruptedWithinABatch(t *testing.T) {
	const at = 70
	for _, by := range []string{"dfs(1)", "dpor", "pct", "portfolio"} {
		sc := tiny("join", by, 1, 2)
		sc.Executions = 200
		o := Options{Seed: 1, Executions: 200, Out: t.TempDir()}
		whole, err := Run(t.Context(), []scenario.Scenario{sc}, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Out, o.Journal, o.growth = t.TempDir(), true, 1
		t.Setenv(pauseAt, fmt.Sprint(at-1))
		t.Setenv(holdAt, fmt.Sprint(at))
		ctx, cancel := context.WithCancelCause(t.Context())
		o.Observers = []report.Observer{&onProgress{func(p report.Progress) {
			if p.Executions == at {
				cancel(errors.New("enough"))
			}
		}}}
		report, err := Run(ctx, []scenario.Scenario{sc}, o)
		t.Setenv(pauseAt, "")
		t.Setenv(holdAt, "")
		if err == nil || !report.Interrupted || report.Scenarios[0].Executions != at {
			t.Errorf("%s: %v, %+v", by, err, report)
		}
		j, err := ReadJournal(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		said := (&campaign{Options: Options{Resume: j}}).resumed([]scenario.Scenario{sc}).String()
		if want := "; of tiny-join, 0 executions done; the batch that was running begins again, with execution 0"; !strings.HasSuffix(said, want) {
			t.Errorf("it says %q, want %q", said, want)
		}
		report, err = Run(t.Context(), []scenario.Scenario{sc}, Options{Out: o.Out, Resume: j})
		if err != nil || !reflect.DeepEqual(comparable(t, report), comparable(t, whole)) {
			t.Errorf("%s: %v, got  %+v\nwant %+v", by, err, report, whole)
		}
	}
}

// TestExplorationTakesTheProcessWithIt: the execution is looked for in the batch that was running.
func TestExplorationTakesTheProcessWithIt(t *testing.T) {
	const at = 130
	for by, again := range map[string]int{"dfs(2)": at + 1, "dpor": at + 1, "urw": at - scenario.BatchSize + 1} {
		sc := tiny("inject", by, 1, 2)
		sc.About = fmt.Sprintf("stumbles: %d panics", at)
		counted := filepath.Join(t.TempDir(), "count")
		t.Setenv(countFile, counted)
		o := Options{Seed: 1, Executions: 300, Out: t.TempDir(), Journal: true}
		report, err := Run(t.Context(), []scenario.Scenario{sc}, o)
		if err != nil {
			t.Fatal(err)
		}
		s := report.Scenarios[0]
		if s.Verdict != verdict.Panicked || s.Failure.Execution != at || s.Executions != at+1 {
			t.Errorf("%s: %s after %d executions: %+v", by, s.Verdict, s.Executions, s.Failure)
		}
		if count, err := os.Stat(counted); err != nil || count.Size() != int64(at+1+again) {
			t.Errorf("%s: %v, %d executions began, want %d and %d again", by, err, count.Size(), at+1, again)
		}
	}
}
