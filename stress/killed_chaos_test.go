//go:build chaos

package stress

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
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
)

// A killedCampaign is one that is killed with -9 and goes on, in processes of its own.
type killedCampaign struct {
	killable
	counted string // the file
}

func newKilled(t *testing.T, o Options, scenarios ...Scenario) *killedCampaign {
	t.Helper()
	o.Out = t.TempDir()
	return &killedCampaign{killable{scenarios, o, 1, 0}, filepath.Join(t.TempDir(), "count")}
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

// kill lets the campaign come to that execution, and kills it when the journal knows that.
func (k *killedCampaign) kill(t *testing.T, at int, knows func(j *Journal) bool) {
	t.Helper()
	held := k.counted + heldSuffix
	os.Remove(held) //nolint:errcheck // there may be none
	cmd := k.start(t, at)
	defer cmd.Wait()         //nolint:errcheck // it is killed
	defer cmd.Process.Kill() //nolint:errcheck // likewise
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		j, err := ReadJournal(k.Options.Out)
		if _, none := os.Stat(held); none == nil && err == nil && j != nil && j.turn != nil && knows(j) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to execution %d: %v, %+v", at, err, j)
		}
	}
}

// finish lets the campaign come to its end.
func (k *killedCampaign) finish(t *testing.T) (r Report, recorded string, executions int) {
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
		s.Duration, s.Took = 0, Latencies{}
	}
	count, err := os.Stat(k.counted)
	if err != nil {
		t.Fatal(err)
	}
	if left := tree(t, k.Options.Out); strings.Contains(strings.Join(left, "\n"), "exploration") {
		t.Errorf("left %q", left)
	}
	return r, recorded, int(count.Size())
}

// TestKilledWithinABatch: a campaign that is killed with -9 before an execution of a batch goes
// on with that one: it runs no other again, and comes to the same end.
func TestKilledWithinABatch(t *testing.T) {
	bounded := func(workload, by string, executions int, workers ...int) Scenario {
		sc := tiny(workload, by, workers...)
		sc.Executions, sc.Sizes.Jobs = executions, 1
		return sc
	}
	fails := bounded("meet-inside", "pct(7)", 0, 3)
	fails.Sizes.Jobs = 0
	dropped := func(by string) Scenario {
		sc := bounded("inject", by, 0, 2)
		sc.Sizes.Jobs, sc.Plan = 2, []chaos.Fault{{At: "sleep/latch-set-notify", Kind: hooks.Drops, Count: 1}}
		return sc
	}
	for name, c := range map[string]struct {
		scenario Scenario
		kills    []int
	}{
		"dfs(2)":                 {bounded("join", "dfs(2)", 0, 1), []int{1, 700, 3500}},
		"dfs(1) of two sizes":    {bounded("join", "dfs(1)", 1500, 1, 2), []int{3, 130, 600}},
		"dpor":                   {bounded("inject", "dpor", 1200, 1, 2), []int{2, 400, 1000}},
		"dfs":                    {bounded("join", "dfs", 600, 1), []int{5, 300}},
		"pct":                    {bounded("inject", "pct", 300, 1, 2), []int{1, 60, 127, 200}},
		"pos":                    {bounded("inject", "pos", 300, 2), []int{60, 255}},
		"urw":                    {bounded("inject", "urw", 200, 1, 2), []int{1, 2, 60, 190}},
		"surw":                   {bounded("inject", "surw", 200, 1, 2), []int{1, 2, 60, 190}},
		"portfolio":              {bounded("inject", "portfolio", 200, 1, 2), []int{3, 60, 100, 190}},
		"random":                 {bounded("inject", "random", 200, 2), []int{70}},
		"a conviction by pct":    {fails, []int{-5, -1}}, // before it
		"a conviction by dfs(2)": {dropped("dfs(2)"), []int{-5, -1}},
		"a conviction by dpor":   {dropped("dpor"), []int{-50, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			undisturbed := newKilled(t, Options{Seed: 1, Executions: c.scenario.Executions}, c.scenario)
			if c.scenario.Executions == 0 {
				undisturbed.Options.Executions = 20_000
			}
			want, text, executions := undisturbed.finish(t)
			s := want.Scenarios[0]
			t.Logf("%s after %d executions; complete: %t", s.Verdict, s.Executions, s.Complete)
			if failed := s.Verdict != Pass; failed != strings.HasPrefix(name, "a conviction") || failed && text == "" {
				t.Fatalf("it is %+v", s)
			}
			disturbed := newKilled(t, undisturbed.Options, c.scenario)
			for i, at := range c.kills {
				if at < 0 {
					at += s.Conviction.Execution
				}
				disturbed.Growth = int64(i % 2) // with each line the journal is rewritten, or not
				disturbed.kill(t, at, func(j *Journal) bool {
					for _, p := range j.parts {
						if p.Next == at {
							return true
						}
					}
					return at%batchSize == 0 && j.tally.next == at/batchSize
				})
			}
			got, text2, executions2 := disturbed.finish(t)
			if !reflect.DeepEqual(got.Scenarios, want.Scenarios) || text2 != text {
				t.Errorf("got  %+v, %s\nwant %+v, %s", got.Scenarios, text2, want.Scenarios, text)
			}
			if executions2 != executions+len(c.kills) {
				t.Errorf("%d executions began, %d without the kills: want one more for each of them", executions2, executions)
			}
		})
	}
}

// TestKilledWhileBatchesWait: what other processes have done beyond the batch that is under way is not
// done again.
func TestKilledWhileBatchesWait(t *testing.T) {
	t.Parallel()
	sc := tiny("inject", "portfolio", 1, 2)
	o := Options{Seed: 1, Executions: 5*batchSize - 7, Procs: 2}
	undisturbed := newKilled(t, o, sc)
	want, _, executions := undisturbed.finish(t)
	disturbed := newKilled(t, o, sc)
	disturbed.kill(t, 5, func(j *Journal) bool {
		whole := func(b int) bool { return j.parts[b] != nil && j.parts[b].Next == (b+1)*batchSize }
		return j.parts[0] != nil && j.parts[0].Next == 5 && whole(1) && whole(3)
	})
	disturbed.Options.Procs = 3 // however many
	got, _, executions2 := disturbed.finish(t)
	if !reflect.DeepEqual(got.Scenarios, want.Scenarios) {
		t.Errorf("got  %+v\nwant %+v", got.Scenarios, want.Scenarios)
	}
	if executions2 != executions+1 {
		t.Errorf("%d executions began, %d without the kill: want one more", executions2, executions)
	}
}

// TestInterruptedWithinABatch: Ctrl-C loses nothing either, and the report has what was done.
func TestInterruptedWithinABatch(t *testing.T) {
	const at = 70
	for _, by := range []string{"dfs(1)", "dpor", "pct", "portfolio"} {
		sc := tiny("join", by, 1, 2)
		sc.Executions = 200
		o := Options{Seed: 1, Executions: 200, Out: t.TempDir()}
		whole, err := Run(t.Context(), []Scenario{sc}, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Out, o.Journal, o.every, o.growth = t.TempDir(), true, 1, 1
		os.Setenv(holdAt, fmt.Sprint(at)) //nolint:errcheck // a name without an equals sign
		ctx, cancel := context.WithCancelCause(t.Context())
		o.Observers = []Observer{&onProgress{func(p Progress) {
			if p.Executions == at {
				cancel(errors.New("enough"))
			}
		}}}
		report, err := Run(ctx, []Scenario{sc}, o)
		os.Unsetenv(holdAt) //nolint:errcheck // likewise
		if err == nil || !report.Interrupted || report.Scenarios[0].Executions != at {
			t.Errorf("%s: %v, %+v", by, err, report)
		}
		j, err := ReadJournal(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		said := (&campaign{Options: Options{Resume: j}}).resumed([]Scenario{sc}).String()
		if want := fmt.Sprintf("; of tiny-join, %d executions done; the batch under way goes on with execution %d", at, at); !strings.HasSuffix(said, want) {
			t.Errorf("it says %q, want %q", said, want)
		}
		report, err = Run(t.Context(), []Scenario{sc}, Options{Out: o.Out, Resume: j})
		if err != nil || !reflect.DeepEqual(outcome(t, report), outcome(t, whole)) {
			t.Errorf("%s: %v, got  %+v\nwant %+v", by, err, report, whole)
		}
	}
}

// TestExplorationTakesTheProcessWithIt: the execution is looked for where the exploration was, not from its
// beginning.
func TestExplorationTakesTheProcessWithIt(t *testing.T) {
	const at = 130
	for _, by := range []string{"dfs(2)", "dpor", "urw"} {
		sc := tiny("inject", by, 1, 2)
		sc.About = fmt.Sprintf("stumbles: %d panics", at)
		counted := filepath.Join(t.TempDir(), "count")
		t.Setenv(countFile, counted)
		o := Options{Seed: 1, Executions: 300, Out: t.TempDir(), Journal: true, every: 1}
		report, err := Run(t.Context(), []Scenario{sc}, o)
		if err != nil {
			t.Fatal(err)
		}
		s := report.Scenarios[0]
		if s.Verdict != Panicked || s.Conviction.Execution != at || s.Executions != at+1 {
			t.Errorf("%s: %s after %d executions: %+v", by, s.Verdict, s.Executions, s.Conviction)
		}
		if count, err := os.Stat(counted); err != nil || count.Size() != at+2 {
			t.Errorf("%s: %v, %d executions began, want %d and once more the last", by, err, count.Size(), at+1)
		}
	}
}

// TestDamagedExploration: a file that is not what the journal names is refused, and whatever
// follows what it names does not matter.
func TestDamagedExploration(t *testing.T) {
	const at = 90
	k := newKilled(t, Options{Seed: 1, Executions: 200}, tiny("join", "dfs(1)", 2))
	k.kill(t, at, func(j *Journal) bool { return j.parts[0] != nil && j.parts[0].Next == at })
	j, err := ReadJournal(k.Options.Out)
	if err != nil {
		t.Fatal(err)
	}
	name := j.parts[0].Kept.File
	path := filepath.Join(k.Options.Out, name)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(good)
	flipped[len(good)/2] ^= 1
	refused := func(want string) {
		t.Helper()
		_, err := ReadJournal(k.Options.Out)
		var bad *InputError
		if want = j.path + ": the exploration that it goes on with, " + name + ", " + want; !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	write(t, path, string(good[:len(good)-1]))
	refused(fmt.Sprintf("is damaged: it has %d bytes of %d", len(good)-1, len(good)))
	write(t, path, string(flipped))
	refused("is damaged: its checksum is another")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	refused("cannot be read: ")
	write(t, path, string(good)+"and what was not yet known")
	got, _, _ := k.finish(t)
	if s := got.Scenarios[0]; s.Verdict != Pass || s.Executions != 200 {
		t.Errorf("%+v", s)
	}
	for _, file := range []string{"", "..", "../exploration-1.state", "exploration-1/2.state", "/exploration-1.state", "journal.jsonl", `a\exploration-1.state`} {
		if k := (&keptState{file, 1, 1}); k.valid() {
			t.Errorf("%q is taken for a state", file)
		}
	}
}

// TestStatesOfOthers: what is no state of the series is refused.
func TestStatesOfOthers(t *testing.T) {
	state := func(by string, workers ...int) (*series, []byte) {
		sc := tiny("inject", by, workers...)
		e, err := newExplorer(&sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer e.close()
		for n := range 9 {
			e.run(n)
		}
		state, err := e.series.appendState(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		return e.series, state
	}
	s, good := state("dfs(2)", 1, 2)
	if err := s.goOn(0, good); err != nil {
		t.Error(err)
	}
	for n := range good { // frames are whole, or there is none
		if err := s.goOn(0, good[:n]); !errors.Is(err, strategy.ErrState) {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
	_, other := state("dfs(1)", 1, 2)
	_, three := state("dfs(2)", 1, 2, 2)
	for _, b := range [][]byte{other, three, append(slices.Clone(good), 1), []byte("hello, this is no state at all")} {
		if err := s.goOn(0, b); !errors.Is(err, strategy.ErrState) {
			t.Errorf("got %v", err)
		}
	}
}

// TestExplorationFileStaysSmall: what no longer counts is given up, and what grows is not
// written again each time.
func TestExplorationFileStaysSmall(t *testing.T) {
	for _, by := range []string{"dpor", "dfs(2)"} {
		sc := tiny("inject", by, 1)
		sc.Sizes.Jobs = 1
		e, err := newExplorer(&sc, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer e.close()
		dir, files, all := t.TempDir(), map[string]bool{}, 0
		k := &keeper{dir: dir, series: e.series, least: 1, garbage: 100_000, send: func(m message) {
			files[m.Part.Kept.File] = true
			removeStates(dir, m.Part.Kept)
			if m.Part.Kept.Size > 600_000 {
				t.Fatalf("%s: it has %d bytes after %d executions", by, m.Part.Kept.Size, m.Part.Next)
			}
		}}
		for n := range 3000 {
			e.run(n)
			if err := k.keep(batchReport{Next: n + 1}, time.Now()); err != nil {
				t.Fatal(err)
			}
			all += len(k.frame)
		}
		k.close()
		state, problem := k.kept.read(dir)
		if problem != "" {
			t.Fatal(problem)
		}
		want, err := e.series.appendState(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.series.goOn(0, state); err != nil {
			t.Fatal(err)
		}
		if got, err := e.series.appendState(nil, false); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, it is read as another", by, err)
		}
		if len(files) < 2 || len(tree(t, dir)) != 2 { // the folder and the last
			t.Errorf("%s: %d files, of which are left %q", by, len(files), tree(t, dir))
		}
		t.Logf("%s: %d files, %d bytes written for a state of %d", by, len(files), all, len(want))
		e.close()
	}
}
