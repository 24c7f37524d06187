package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// journaled are scripted scenarios that end in many ways.
func journaled() []scenario.Scenario {
	fault := []chaos.Fault{{At: "test/notify", Kind: hooks.Drops}}
	control := scripted("control", verdict.LostWakeup, "lost-wakeup/silent pass/silent lost-wakeup")
	silent := scripted("silent", verdict.Pass, "pass/silent")
	crashes := scripted("crashes", verdict.Pass, "pass panics")
	control.Plan, silent.Plan = fault, fault
	return []scenario.Scenario{scripted("passes", verdict.Pass, "pass"), control, silent, crashes}
}

// outcome is what is to be the same however often the campaign was stopped.
func comparable(t *testing.T, r report.Report) (all []report.ScenarioReport) {
	t.Helper()
	for _, s := range r.Scenarios {
		if s.Recording != "" {
			if _, err := os.Stat(s.Recording); err != nil {
				t.Error(err)
			}
		}
		s.Duration, s.Took, s.Recording, s.Sidecars = 0, outcome.Latencies{}, "", nil
		if s.Failure != nil {
			c := *s.Failure
			c.Goroutines, c.Explanation, s.Failure = "", nil, &c
		}
		if s.Search != nil {
			found := *s.Search
			if found.Recording != "" {
				if _, err := os.Stat(found.Recording); err != nil {
					t.Error(err)
				}
			}
			found.Took, found.Recording, s.Search = 0, "", &found
		}
		all = append(all, s)
	}
	return all
}

// linesOfKind counts lines of the journal in the folder.
func linesOfKind(t *testing.T, dir, kind string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(text, []byte(`"kind":"`+kind+`"`))
}

// TestResumeFromAnyLine: whichever line of the journal is the last, and if the next one
// is torn, the campaign comes to the same end, and so does one whose journal is rewritten
// all the time.
func TestResumeFromAnyLine(t *testing.T) {
	bounded := journaled()
	for i := range bounded {
		bounded[i].Executions = 4
	}
	t.Run("one after the other", func(t *testing.T) { resumeFromAnyLine(t, journaled(), Options{Executions: 4}) })
	t.Run("in turns", func(t *testing.T) { resumeFromAnyLine(t, bounded, Options{For: time.Hour}) })
}

func resumeFromAnyLine(t *testing.T, scenarios []scenario.Scenario, o Options) {
	o.Seed, o.Out, o.Journal = 7, t.TempDir(), true
	whole, err := Run(t.Context(), scenarios, o)
	if err != nil {
		t.Fatal(err)
	}
	want := comparable(t, whole)
	text, err := os.ReadFile(filepath.Join(o.Out, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	lines, executions := slices.Collect(bytes.Lines(text)), 0
	for _, s := range want {
		executions += s.Executions
	}
	for n := 1; n <= len(lines); n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			cut := slices.Concat(lines[:n]...)
			if n < len(lines) {
				cut = append(cut, lines[n][:n%len(lines[n])]...)
			}
			dir := t.TempDir()
			fixture.Write(t, filepath.Join(dir, JournalName), string(cut))
			j, err := ReadJournal(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Check(scenarios); err != nil {
				t.Fatal(err)
			}
			if j.Finished() != (n == len(lines)) || j.Options().Seed != 7 {
				t.Errorf("finished: %t, seed %d", j.Finished(), j.Options().Seed)
			}
			watched := &watcher{}
			again, err := Run(t.Context(), scenarios, Options{Out: dir, Resume: j, Subjects: o.Subjects, Observers: []report.Observer{watched}, growth: int64(n % 2)})
			if err != nil {
				t.Fatal(err)
			}
			if got := comparable(t, again); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if results := linesOfKind(t, dir, lineResult); n%2 == 0 && results != executions {
				t.Errorf("%d results in the journal of %d executions", results, executions)
			}
			if len(watched.seen) != 2+len(scenarios) {
				t.Errorf("observed %q", watched.seen)
			}
			if j, err = ReadJournal(dir); err != nil || !j.Finished() || !reflect.DeepEqual(comparable(t, report.Report{Scenarios: j.reports()}), want) {
				t.Errorf("the journal then: %v, %+v", err, j)
			}
		})
	}
}

// TestJournalIsAhead: an execution is in the journal before it runs, and is reported
// as run again.
func TestJournalIsAhead(t *testing.T) {
	dir, pids := t.TempDir(), filepath.Join(t.TempDir(), "pid")
	t.Setenv(pidFile, pids)
	ctx, cancel := context.WithCancelCause(t.Context())
	watched := &watcher{progressed: func() {
		if _, err := os.Stat(pids); err == nil {
			cancel(errors.New("enough"))
		}
	}}
	scenarios := []scenario.Scenario{scripted("hangs", verdict.Pass, "pass pass hangs")}
	_, err := Run(ctx, scenarios, Options{Executions: 9, Out: dir, Journal: true, Observers: []report.Observer{watched}})
	if err == nil {
		t.Fatal("it was not interrupted")
	}
	j, err := ReadJournal(dir)
	if err != nil || j.Finished() || !slices.Equal(j.running, []int{2}) || j.current.Executions != 2 {
		t.Fatalf("%v, %+v", err, j)
	}
	said := (&campaign{Options: Options{Resume: j}}).resumed(scenarios).String()
	if !strings.HasSuffix(said, "; of hangs, 2 executions done; execution 2 was in progress and is run again") {
		t.Errorf("it says %q", said)
	}
}

// TestDamagedJournal: whatever was changed in the middle is refused, with the line.
func TestDamagedJournal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, JournalName)
	if _, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Pass, "pass")}, Options{Seed: 7, Executions: 3, Out: dir, Journal: true}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(bytes.Lines(text))
	join := func(l ...[][]byte) []byte { return slices.Concat(slices.Concat(l...)...) }
	result := 1 + slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(`"kind":"result"`)) })
	edited := func(old, new string) []byte { return bytes.Replace(text, []byte(old), []byte(new), 1) }
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"empty":           {nil, ": the file is empty, want a journal"},
		"foreign":         {[]byte("hello\n"), `:1:1: not a journal: its first line is not of the kind "campaign"`},
		"torn first line": {lines[0][:40], `:1:1: not a journal: its first line is not of the kind "campaign"`},
		"older":           {edited(`"schema":6`, `"schema":5`), ":1:1: a journal of version 5, want version 6"},
		"newer":           {edited(`"schema":6`, `"schema":7`), ":1:1: a journal of version 7, want version 6"},
		"other seed":      {edited(`"seed":"0x7"`, `"seed":"0x8"`), ":1:1: damaged: the checksum"},
		"line left out":   {join(lines[:3], lines[4:]), ":4:1: damaged: the checksum"},
		"line twice":      {join(lines[:4], lines[3:]), ":5:1: damaged: the checksum"},
		"lines swapped":   {join(lines[:3], lines[4:5], lines[3:4], lines[5:]), ":4:1: damaged: the checksum"},
		"zeros":           {join(lines[:3], [][]byte{make([]byte, 50), []byte("\n")}), ":4:1: damaged: the line is not JSON"},
		"verdict":         {edited(`"Verdict":"pass"`, `"Verdict":"leak"`), fmt.Sprintf(":%d:1: damaged: the checksum", result)},
		"last line":       {append(join(lines[:len(lines)-1]), []byte("{}\n")...), fmt.Sprintf(":%d:1: damaged: the line has no checksum", len(lines))},
		"after the end":   {join(lines, lines[:1]), fmt.Sprintf(":%d:1: damaged: the checksum", len(lines)+1)},
	} {
		fixture.Write(t, path, string(c.text))
		_, err := ReadJournal(dir)
		var bad *scenario.InputError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), path+c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	for n := len(lines[0]); n < len(text); n++ { // killed after each byte
		if j, err := parseJournal(path, text[:n]); err != nil || j.Finished() || j.size+j.torn != int64(n) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

// TestJournalOfOthers: a campaign resumes its own journal only.
func TestJournalOfOthers(t *testing.T) {
	dir := t.TempDir()
	scenarios := []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Leak, "leak")}
	if _, err := Run(t.Context(), scenarios, Options{Executions: 1, Out: dir, Journal: true, RecordExpected: true}); err != nil {
		t.Fatal(err)
	}
	j, err := ReadJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Check(scenarios); err != nil {
		t.Error(err)
	}
	changed := slices.Clone(scenarios)
	changed[0] = sized(changed[0], "jobs", "9")
	for want, s := range map[string][]scenario.Scenario{
		"its campaign has 2 scenarios, and this one 1: want the same":                                      scenarios[:1],
		"the scenario a is not what it was: want the same file":                                            changed,
		"its campaign has the scenario a where this one has c: want the same, in the same order":           {scripted("c", verdict.Pass, "pass"), scenarios[1]},
		"its campaign has the scenario b where this one has b with rfc5: want the same, in the same order": scenario.WithEach(scenarios, []string{"rfc5"}, testSubjects),
	} {
		if err := j.Check(s); err == nil || err.Error() != j.Path()+": "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	j.head.Program = "0123456789abcdef"
	if err := j.Check(scenarios); err == nil || !strings.Contains(err.Error(), ": it is of another build of rouse ") {
		t.Errorf("got %v", err)
	}
	j.head.Build.Version = "v0.0.1"
	if err := j.Check(scenarios); err == nil || !strings.Contains(err.Error(), ": it is of rouse v0.0.1, ") {
		t.Errorf("got %v", err)
	}
}

// TestOneWriter: two campaigns do not write one journal.
func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := lockFolder(dir); err == nil {
		again() // there are no locks here
	} else if _, err := Run(t.Context(), journaled(), Options{Out: dir, Journal: true}); err == nil || !strings.HasSuffix(err.Error(), "another campaign is writing it") {
		t.Errorf("got %v", err)
	}
	unlock()
	if _, err := Run(t.Context(), journaled()[:1], Options{Executions: 1, Out: dir, Journal: true}); err != nil {
		t.Error(err)
	}
}

// TestJournalStaysSmall: results are replaced by their sum.
func TestJournalStaysSmall(t *testing.T) {
	dir := t.TempDir()
	sc := scripted("a", verdict.Pass, "pass")
	sc.Plan = []chaos.Fault{{At: "test/notify", Kind: hooks.Drops}}
	report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{Executions: 2000, Out: dir, Journal: true, growth: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, JournalName))
	if err != nil || info.Size() > 30_000 {
		t.Errorf("%v, %d bytes", err, info.Size())
	}
	j, err := ReadJournal(dir)
	if err != nil || !reflect.DeepEqual(j.reports(), report.Scenarios) || j.reports()[0].Faults[0].Hits != 4000 {
		t.Errorf("%v, %+v", err, j)
	}
	if got := fixture.Tree(t, dir); len(got) != 2 {
		t.Errorf("left %q", got)
	}
}

// TestDoneDuringTheTurnOfAnother: when the time is up, all scenarios are done while the turn of one of them is
// the last in the journal. That turn ends then.
func TestDoneDuringTheTurnOfAnother(t *testing.T) {
	dir := t.TempDir()
	scenarios := journaled()[:2]
	now := time.Duration(0)
	entries := []*entry{{tally: newTally(&scenarios[0])}, {tally: newTally(&scenarios[1]), index: 1}}
	w, err := startJournal(dir, journalCampaign{Seed: "0x1", Scenarios: journalScenarios(scenarios)}, entries, 0, func() time.Duration { return now })
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	for i, e := range entries {
		e.began = now
		if err := w.began(e); err != nil {
			t.Fatal(err)
		}
		now += time.Duration(i+1) * time.Second
	}
	entries[0].done = &report.ScenarioReport{Index: 0}
	if err := w.ended(entries[0]); err != nil {
		t.Fatal(err)
	}
	j, err := ReadJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if e := j.entries[1]; e.done != nil || e.spent != 2*time.Second {
		t.Errorf("the turn of 2 s was of %v", e.spent)
	}
	entries[1].done = &report.ScenarioReport{Index: 1}
	if err := errors.Join(w.ended(entries[1]), w.end()); err != nil {
		t.Fatal(err)
	}
	if j, err = ReadJournal(dir); err != nil || !j.Finished() {
		t.Errorf("%v, finished: %t", err, j != nil && j.Finished())
	}
}

// TestJournalInTrouble: what cannot be written ends the campaign, and what was written is
// whole.
func TestJournalInTrouble(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	fixture.Write(t, file, "")
	_, err := Run(t.Context(), journaled(), Options{Executions: 1, Out: filepath.Join(file, "out"), Journal: true})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write the journal: ") {
		t.Errorf("got %v", err)
	}
	j, err := startJournal(dir, journalCampaign{Seed: "0x1"}, nil, 0, func() time.Duration { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	j.f.Close() // as good a way as any to make writing fail
	if err := j.begins(&run.Begin{}); err == nil || !strings.HasPrefix(err.Error(), "cannot write the journal: "+j.path) {
		t.Errorf("got %v", err)
	}
	if _, err := ReadJournal(dir); err != nil {
		t.Error(err)
	}
}
