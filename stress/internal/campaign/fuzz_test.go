package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// aFailure is one of a scenario of the campaign with the seed 7.
func aFailure(name string, execution int) *outcome.Result {
	return &outcome.Result{Execution: execution, Seed: subject.Seed(7, name, execution), Setting: "workers 2", Verdict: verdict.Deadlock, Summary: "main waits", Explanation: []string{"a"},
		Faults: []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 4, Fires: 1}}, Points: []outcome.PointCount{{Point: "test/notify", Hits: 4}}, Duration: time.Millisecond}
}

// done are scenarios that are done: one of each kind of outcome.
func done() []report.ScenarioReport {
	faults := []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 4, Fires: 1}, {At: "test/passed", Kind: "delay", Hits: 3}}
	fails := report.ScenarioReport{Name: "fails", Verdict: verdict.Deadlock, Expect: verdict.Pass, Executions: 4, Faults: faults, Odds: []float64{0, 0.5}, Duration: time.Second,
		Failure: aFailure("fails", 3), Recording: "out/fails.rouse", Search: &outcome.Search{Executions: 9, Points: []string{"test/notify"}}}
	fails.Took.Add(time.Millisecond)
	holds := report.ScenarioReport{Index: 1, Name: "holds", Variant: "rfc5", Mode: scenario.Control, Verdict: verdict.Pass, Expect: verdict.Pass, May: []verdict.Verdict{verdict.Leak}, Why: "it may", AsExpected: true, Executions: 12,
		Steps: 40, Timers: 2, Bounded: "at most 2 preemptions", Orders: &orders.Summary{Distinct: 5, Last: 12, OneOf: 1}, Evidence: &evidence.Evidence{Executions: 12, Timers: 2}, Budget: 128}
	open := report.ScenarioReport{Index: 2, Name: "open", Verdict: verdict.NeverReached, Expect: verdict.Pass, Open: true, Detail: "delay at test/passed never fired", Executions: 1, Faults: faults[1:], Odds: []float64{0.25}}
	return []report.ScenarioReport{fails, holds, open}
}

// journals are of a campaign, with lines of each kind, that came to its end, or was resumed.
func journals(tb testing.TB) [][]byte {
	tb.Helper()
	all := done()
	head := &journalCampaign{Build: outcome.Build{Version: "v1"}, Seed: "0x7", Executions: 12, Shard: "0/1"}
	for _, s := range all {
		head.Scenarios = append(head.Scenarios, journalScenario{s.Name, s.Variant, "ab"})
	}
	first := journalLine{Kind: lineCampaign, Campaign: head}
	ended := []journalLine{first}
	for i := range all {
		ended = append(ended, journalLine{Kind: lineDone, Elapsed: time.Second, Done: &all[i]})
	}
	ended = append(ended, journalLine{Kind: lineSample, Sample: &report.Sample{Elapsed: 1, Executions: 4}}, journalLine{Kind: lineEnd, Elapsed: time.Minute})
	counts := []outcome.FaultCount{{At: "test/notify", Kind: "drop"}}
	inTurns := []journalLine{
		first,
		{Kind: lineScenario, Turn: &journalTurn{Turn: 1, Slice: 5, Tally: &totals{Faults: counts}}},
		{Kind: lineBegin, Begin: &run.Begin{Execution: 3}},
		{Kind: lineResult, Result: aFailure("fails", 3)},
		{Kind: lineRecorded, Recorded: &journalRecorded{Recording: "out/a.rouse", Shrunk: "out/a.min.rouse", Search: &outcome.Search{}}},
		{Kind: lineScenario, Turn: &journalTurn{Index: 1, Turn: 1, Tally: &totals{Faults: counts}}},
		{Kind: lineWaiting, Waiting: &run.BatchReport{Batch: 1, Next: 200, Executions: 72, Faults: counts}},
		{Kind: lineResumed},
		{Kind: lineBatch, Batch: &run.BatchReport{Next: 128, Executions: 128, Steps: 900, Faults: counts, Orders: orders.Hashes{4, 8}}},
		{Kind: lineScenario, Turn: &journalTurn{Turn: 2, Spent: 4, Over: true}},
		{Kind: lineDone, Done: &all[1]},
	}
	var texts [][]byte
	for _, lines := range [][]journalLine{ended, inTurns} {
		var whole []byte
		crc := uint32(0)
		for _, l := range lines {
			text, next, err := l.encode(crc)
			if err != nil {
				tb.Fatal(err)
			}
			whole, crc = append(whole, text...), next
		}
		texts = append(texts, whole)
	}
	return texts
}

var sealed = regexp.MustCompile(`(?:,"crc":"[0-9a-f]*")?}\s*$`)

// seal gives each line of a journal the checksum that it must have.
func seal(text []byte) (whole []byte) {
	crc := uint32(0)
	for line := range bytes.Lines(text) {
		line = sealed.ReplaceAll(line, nil)
		crc = crc32.Update(crc, crc32.IEEETable, line)
		whole = fmt.Appendf(append(whole, line...), crcFormat, crc)
	}
	return whole
}

// checkRefused fails unless the error is an input error at one of the lines, in a line.
func checkRefused(t *testing.T, text []byte, err error) {
	t.Helper()
	var bad *scenario.InputError
	lines := bytes.Count(text, []byte("\n")) + 1
	if !errors.As(err, &bad) || bad.Line < 0 || bad.Line > lines || bad.Column != min(bad.Line, 1) || strings.ContainsAny(err.Error(), "\n\r") {
		t.Fatalf("%q: %T %v", text, err, err)
	}
}

// Catches: a journal that is damaged and read nevertheless, one whose length is not that of its lines, one that cannot be
// read as far as it goes, and one that ends the program.
func FuzzJournal(f *testing.F) {
	for _, text := range journals(f) {
		f.Add(text, false)
		f.Add(text, true)
		f.Add(text[:len(text)-40], false)
		f.Add(bytes.Replace(text, []byte(`"index":1`), []byte(`"index":9`), 1), true)
	}
	f.Add([]byte("hello\n"), false)
	f.Fuzz(func(t *testing.T, text []byte, repaired bool) {
		if repaired {
			text = seal(text)
		}
		j, err := parseJournal("j", text)
		if err != nil {
			checkRefused(t, text, err)
			return
		}
		if j.size+j.torn != int64(len(text)) || j.torn > 0 && text[len(text)-1] == '\n' {
			t.Fatalf("%q: %d bytes and %d torn of %d", text, j.size, j.torn, len(text))
		}
		if done, all := j.Done(); done > all || j.Finished() && done != all || j.Options().Seed != j.seed || j.executionsOfTurn() < 0 && j.current == nil {
			t.Fatalf("%q: %d of %d scenarios are done", text, done, all)
		}
		if whole, err := parseJournal("j", text[:j.size]); err != nil || whole.torn != 0 || !reflect.DeepEqual(whole.reports(), j.reports()) {
			t.Fatalf("%q without its torn end: %v", text, err)
		}
		last := bytes.LastIndexByte(bytes.TrimSuffix(text[:j.size], []byte("\n")), '\n') + 1
		if before, err := parseJournal("j", text[:last]); last > 0 && (err != nil || before.finished || before.size != int64(last)) {
			t.Fatalf("%q without its last line: %v", text, err)
		}
		s, err := shardOfJournal("j", text)
		if err != nil {
			checkRefused(t, text, err)
			return
		}
		checkMerge(t, s)
	})
}

// checkMerge merges a shard, and writes the result down.
func checkMerge(t *testing.T, s *ShardReport) {
	t.Helper()
	r, err := Merge([]*ShardReport{s})
	if err != nil {
		var bad *scenario.InputError
		if !errors.As(err, &bad) {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	if r.Campaign.Merged != 1 || len(r.Scenarios) != len(s.Report.Scenarios) {
		t.Fatalf("%+v, %d scenarios", r.Campaign, len(r.Scenarios))
	}
	var text bytes.Buffer
	j := report.NewJSONLines(&text)
	j.Observe(&r.Campaign)
	for i := range r.Scenarios {
		from := &s.Report.Scenarios[i]
		if got := &r.Scenarios[i]; got.Name != from.Name || got.Executions != from.Executions || from.Failure != nil && got.Failure != from.Failure {
			t.Fatalf("%+v is merged to %+v", from, got)
		}
		j.Observe(&r.Scenarios[i])
	}
	j.Observe(&r)
	if j.Err() != nil {
		t.Fatal(j.Err())
	}
}

// linesOf writes a report as --json does.
func linesOf(r report.Report) []byte {
	var text bytes.Buffer
	j := report.NewJSONLines(&text)
	j.Observe(&r.Campaign)
	for i := range r.Scenarios {
		j.Observe(&r.Scenarios[i])
	}
	j.Observe(&r)
	return text.Bytes()
}

// Catches: a report of a shard that no campaign writes and that is merged nevertheless, one that is read differently from
// how it is written, and one that ends the program.
func FuzzShardReport(f *testing.F) {
	shard := scenario.Shard{Index: 0, Of: 1}
	all := done()
	c := report.Campaign{Seed: 7, Scenarios: len(all), Executions: 12, Build: outcome.Build{Version: "v1"}, Shard: shard, Setup: "ab"}
	text := linesOf(report.Report{Campaign: c, Scenarios: all, Duration: time.Minute, Samples: []report.Sample{{}, {Elapsed: time.Second, Executions: 4, Memory: 1 << 20, Live: 1 << 19}}})
	f.Add(text)
	f.Add(text[:len(text)/2])
	for old, by := range map[string]string{`"executions":4`: `"executions":-4`, `"fires":1`: `"fires":5`, `"odds":0.5`: `"odds":2`, `"seconds":1`: `"seconds":1e308`, `"took_us":[[`: `"took_us":[[0,1],[`, `"kind":"end"`: `"kind":"end?"`, `"index":1`: `"index":-1`} {
		f.Add(bytes.Replace(text, []byte(old), []byte(by), 1))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := shardOfLines("r", text)
		if err != nil {
			checkRefused(t, text, err)
			return
		}
		if len(s.Report.Scenarios) != s.Campaign.Scenarios || len(s.lines) != s.Campaign.Scenarios {
			t.Fatalf("%q has %d scenarios at %v, want %d", text, len(s.Report.Scenarios), s.lines, s.Campaign.Scenarios)
		}
		written := linesOf(s.Report)
		again, err := shardOfLines("r", written)
		if err != nil {
			t.Fatalf("%q is written\n%s\n%v", text, written, err)
		}
		if twice := linesOf(again.Report); !bytes.Equal(withoutTime(twice), withoutTime(written)) {
			t.Fatalf("%q is written\n%s\nand then\n%s", text, written, twice)
		}
		checkMerge(t, s)
	})
}

var timeIn = regexp.MustCompile(`"time":"[^"]*"`)

// withoutTime leaves out when it was written.
func withoutTime(text []byte) []byte { return timeIn.ReplaceAll(text, nil) }
