package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// shardsOf runs the campaign in shards, and returns what each has left, as a journal and
// as lines.
func shardsOf(t *testing.T, scenarios []scenario.Scenario, seed uint64, of int) (journals, lines []string) {
	t.Helper()
	for i := range of {
		dir := t.TempDir()
		file := filepath.Join(dir, "report.jsonl")
		var text bytes.Buffer
		_, err := Run(t.Context(), scenarios, Options{Seed: seed, Executions: 12, Out: dir, Journal: true, Shard: scenario.Shard{Index: i, Of: of},
			Observers: []report.Observer{report.NewJSONLines(&text)}})
		if err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, file, text.String())
		journals, lines = append(journals, dir), append(lines, file)
	}
	return journals, lines
}

func merged(t *testing.T, paths []string) (report.Report, error) {
	t.Helper()
	var shards []*ShardReport
	for _, p := range paths {
		s, err := ReadShard(p)
		if err != nil {
			t.Fatal(err)
		}
		shards = append(shards, s)
	}
	return Merge(shards)
}

// TestMerge: what one campaign would say, the shards say together.
func TestMerge(t *testing.T) {
	rare := scripted("fires-once", verdict.Pass, strings.Repeat("pass/silent ", 7)+"pass pass/silent")
	never := scripted("never-fires", verdict.Pass, "pass/silent")
	apart := scripted("fails-apart-from-its-fault", verdict.LostWakeup, strings.Repeat("pass/silent ", 10)+"pass lost-wakeup/silent")
	without := scripted("fails-without-its-fault", verdict.LostWakeup, "lost-wakeup/silent")
	crash := scripted("crashes-as-expected", verdict.Panicked, "panics")
	rare.Plan, never.Plan, apart.Plan, without.Plan, crash.Plan = drop, drop, drop, drop, drop
	scenarios := []scenario.Scenario{
		scripted("passes", verdict.Pass, "pass"), rare, never,
		scripted("fails-once", verdict.Leak, strings.Repeat("pass ", 9)+"leak pass"),
		apart, without, crash,
		scripted("fails-in-each", verdict.Pass, strings.Repeat("pass ", 5)+"deadlock"),
		scripted("blind", verdict.Leak, "pass"),
		scripted("fails-late", verdict.Pass, strings.Repeat("pass ", 11)+"deadlock"),
		scripted("crashes", verdict.Pass, "pass pass pass panics pass"),
	}
	whole, err := Run(t.Context(), scenarios, Options{Seed: 5, Executions: 12, Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	journals, lines := shardsOf(t, scenarios, 5, 3)
	mixed := []string{lines[2], journals[0], lines[1]}
	for _, paths := range [][]string{journals, lines, mixed} {
		report, err := merged(t, paths)
		if err != nil {
			t.Fatal(err)
		}
		if c := report.Campaign; c.Merged != 3 || c.Shard.Of != 0 || c.Seed != 5 || report.Failed() != whole.Failed() || report.AsExpected() {
			t.Errorf("%+v, %d failed, want %d", c, report.Failed(), whole.Failed())
		}
		for i, s := range report.Scenarios {
			want := whole.Scenarios[i]
			if s.Verdict != want.Verdict || s.AsExpected != want.AsExpected || s.Open || s.Executions < want.Executions || s.Detail != want.Detail {
				t.Errorf("%s: got %s, as expected: %t, %d executions, %q; want %s, %t, %d, %q", s.Name,
					s.Verdict, s.AsExpected, s.Executions, s.Detail, want.Verdict, want.AsExpected, want.Executions, want.Detail)
			}
			if (s.Failure == nil) != (want.Failure == nil) || s.Failure != nil && s.Failure.Execution != want.Failure.Execution {
				t.Errorf("%s: got %+v, want %+v", s.Name, s.Failure, want.Failure)
			}
			if want.Failure == nil && (s.Executions != want.Executions || !reflect.DeepEqual(s.Faults, want.Faults) || !reflect.DeepEqual(s.Points, want.Points)) {
				t.Errorf("%s: got %+v, want %+v", s.Name, s, want)
			}
		}
	}
}

// TestMergeRefused: what is not the whole of one campaign is not summed up.
func TestMergeRefused(t *testing.T) {
	scenarios := []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}
	_, three := shardsOf(t, scenarios, 5, 3)
	_, two := shardsOf(t, scenarios, 5, 2)
	_, other := shardsOf(t, scenarios, 6, 3)
	_, fewer := shardsOf(t, scenarios[:1], 5, 3)
	for want, paths := range map[string][]string{
		three[0] + ": 1 shard of its campaign missing: 1/3":                                           {three[0], three[2]},
		three[1] + ": 2 shards of its campaign missing: 0/3, 2/3":                                     {three[1]},
		three[1] + ": shard 1/3 is doubled: " + three[1] + " is it, too":                              {three[0], three[1], three[1], three[2]},
		two[1] + ": it is shard 1/2, and " + three[0] + " is 0/3: want shards of one campaign":        {three[0], two[1]},
		other[1] + ": the seed is 0x6, and that of " + three[0] + " 0x5: want shards of one campaign": {three[0], other[1], three[2]},
		fewer[1] + ": its scenarios are not those of " + three[0] + ": want shards of one campaign":   {three[0], fewer[1], three[2]},
	} {
		_, err := merged(t, paths)
		var bad *scenario.InputError
		if !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	text, err := os.ReadFile(three[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "report")
	end := bytes.LastIndex(text[:len(text)-1], []byte("\n")) + 1
	for want, text := range map[string]string{
		path + ": " + notAtItsEnd: string(text[:end]),
		fmt.Sprintf("%s:%d:1: not a report: the line is not JSON as --json writes it", path, 1+bytes.Count(text[:end], []byte("\n"))): string(text[:end+20]),
		path + ":1:1: a report of version 2, want version 1":                                                                          strings.Replace(string(text), `"schema":1`, `"schema":2`, 1),
		path + `:2:1: a line of the kind "campaign" does not belong here`:                                                             string(text[:bytes.IndexByte(text, '\n')+1]) + string(text),
		path + `:1:1: not a report: want i/n, the shard i, from 0 to n-1, of n, at most 65536`:                                        strings.Replace(string(text), `"0/3"`, `"3/3"`, 1),
	} {
		fixture.Write(t, path, text)
		if _, err := ReadShard(path); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	journals, _ := shardsOf(t, scenarios[:1], 5, 1)
	journal := filepath.Join(journals[0], JournalName)
	if text, err = os.ReadFile(journal); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, journal, string(text[:len(text)-5]))
	if _, err := ReadShard(journals[0]); err == nil || err.Error() != journal+": "+notAtItsEnd {
		t.Errorf("got %v", err)
	}
}
