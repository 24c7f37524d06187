package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A Journal is a journal that was read: a description of the campaign, and how far it got.
type Journal struct {
	path     string
	head     journalCampaign
	seed     uint64
	shard    scenario.Shard
	elapsed  time.Duration
	entries  []*entry // of each scenario, in the order of the campaign; nil if it has not begun
	current  *entry   // its turn is in progress; nil if none is
	samples  report.Samples
	running  []int // executions without a result; under control, the first executions of batches
	finished bool
	lines    []int // line numbers of finished scenarios in the file, by scenario

	size int64 // bytes of the whole lines
	torn int64 // bytes after them
	crc  uint32
}

// ReadJournal reads the journal in a folder. It returns nil if there is none. It ignores a last line
// that was torn by a kill. For any other damage, and for a journal of another version, the error is an
// *InputError.
func ReadJournal(dir string) (*Journal, error) {
	path := filepath.Join(dir, JournalName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data, err := scenario.ReadInput(path, scenario.MaxJournal)
	if err != nil {
		return nil, err
	}
	return parseJournal(path, data)
}

func parseJournal(path string, data []byte) (*Journal, error) {
	j := &Journal{path: path}
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if text[len(text)-1] != '\n' && number > 1 {
			j.torn = int64(len(text))
			break
		}
		if problem := j.addLine(text, number); problem != "" {
			return nil, &scenario.InputError{File: path, Line: number, Column: 1, Problem: problem}
		}
		j.size += int64(len(text))
	}
	if number == 0 {
		return nil, &scenario.InputError{File: path, Problem: "the file is empty, want a journal"}
	}
	return j, nil
}

// addLine adds a line of the file, and returns what is wrong with it, or "".
func (j *Journal) addLine(text []byte, number int) (problem string) {
	var l journalLine
	err := json.Unmarshal(text, &l)
	if number == 1 {
		switch {
		case err != nil || l.Kind != lineCampaign:
			return "not a journal: its first line is not of the kind " + strconv.Quote(lineCampaign)
		case l.Schema != JournalVersion:
			return fmt.Sprintf("a journal of version %d, want version %d", l.Schema, JournalVersion)
		}
	}
	if err != nil {
		return "damaged: the line is not JSON as a journal has it"
	}
	if len(text) < crcLength {
		return "damaged: the line has no checksum"
	}
	crc := crc32.Update(j.crc, crc32.IEEETable, text[:len(text)-crcLength])
	if !bytes.Equal(text[len(text)-crcLength:], fmt.Appendf(nil, crcFormat, crc)) {
		return "damaged: the checksum is not that of the lines up to here: one was changed, left out or put elsewhere"
	}
	if !j.add(&l, number) {
		return fmt.Sprintf("damaged: a line of the kind %q does not belong here", l.Kind)
	}
	j.crc, j.elapsed = crc, l.Elapsed
	return ""
}

// add adds the content of a line. It reports false if the line does not belong there.
func (j *Journal) add(l *journalLine, number int) bool {
	if (number == 1) != (l.Kind == lineCampaign) || j.finished {
		return false
	}
	switch {
	case l.Kind == lineCampaign && l.Campaign != nil:
		var err error
		j.head = *l.Campaign
		j.entries, j.lines = make([]*entry, len(j.head.Scenarios)), make([]int, len(j.head.Scenarios))
		if j.seed, err = strconv.ParseUint(j.head.Seed, 0, 64); err == nil && j.head.Shard != "" {
			j.shard, err = scenario.ParseShard(j.head.Shard)
		}
		return err == nil
	case l.Kind == lineResumed:
		j.running = nil
		return true
	case l.Kind == lineEnd:
		j.finished = true
		done, all := j.Done()
		return done == all
	case l.Kind == lineScenario && l.Turn != nil:
		return j.addTurn(l)
	case l.Kind == lineDone && l.Done != nil:
		return j.addDone(l, number)
	case l.Kind == lineSample && l.Sample != nil:
		j.samples.Add(*l.Sample)
		return true
	}
	return j.current != nil && j.addToTurn(l)
}

// addTurn adds the line of a turn.
func (j *Journal) addTurn(l *journalLine) bool {
	t := l.Turn
	if t.Index < 0 || t.Index >= len(j.entries) {
		return false
	}
	e := j.entries[t.Index]
	switch {
	case e == nil && t.Tally == nil, e != nil && e.done != nil:
		return false
	case e == nil || t.Tally != nil:
		e = &entry{tally: &tally{totals: *t.Tally}, index: t.Index, waiting: waitingBatches{}, journaled: true}
		j.entries[t.Index] = e
	}
	j.turnEnds(t.Index, l.Elapsed)
	e.turns, e.slice, e.began, e.spent = t.Turn, t.Slice, t.Began, t.Spent
	j.current, j.running = e, nil
	if t.Over {
		j.current = nil
	}
	return true
}

// turnEnds ends the turn in progress at a line about scenario i, unless it is a turn of i: another turn begins,
// or the time is up.
func (j *Journal) turnEnds(i int, elapsed time.Duration) {
	if was := j.current; was != nil && was.index != i {
		was.spent += elapsed - was.began
	}
}

// addDone adds a scenario that is done.
func (j *Journal) addDone(l *journalLine, number int) bool {
	s := l.Done
	if s.Index < 0 || s.Index >= len(j.entries) || j.entries[s.Index] != nil && j.entries[s.Index].done != nil {
		return false
	}
	j.turnEnds(s.Index, l.Elapsed)
	j.entries[s.Index], j.lines[s.Index] = &entry{index: s.Index, turns: 1, spent: s.Duration, done: s, journaled: true}, number
	j.current, j.running = nil, nil
	return true
}

// addToTurn adds a line about the scenario in progress.
func (j *Journal) addToTurn(l *journalLine) bool {
	switch {
	case l.Kind == lineBegin && l.Begin != nil:
		j.running = append(j.running, l.Begin.Execution)
	case l.Kind == lineResult && l.Result != nil:
		j.current.add(l.Result)
		j.running = nil
	case l.Kind == lineBatch && l.Batch != nil && len(l.Batch.Faults) <= len(j.current.Faults):
		j.current.addBatch(l.Batch)
		delete(j.current.waiting, l.Batch.Batch)
		j.batchDone(l.Batch)
	case l.Kind == lineWaiting && l.Waiting != nil && mayWait(l.Waiting, len(j.current.Faults)):
		j.current.waiting[l.Waiting.Batch] = l.Waiting
		j.batchDone(l.Waiting)
	case l.Kind == lineRecorded && l.Recorded != nil:
		j.current.Recording, j.current.Shrunk, j.current.Search = l.Recorded.Recording, l.Recorded.Shrunk, l.Recorded.Search
	default:
		return false
	}
	return true
}

func (j *Journal) batchDone(b *run.BatchReport) {
	j.running = slices.DeleteFunc(j.running, func(execution int) bool { return inBatch(b, execution) })
}

// mayWait reports whether b can be a finished batch of a scenario with the given number of faults.
func mayWait(b *run.BatchReport, faults int) bool {
	return b.Batch >= 0 && b.Next > b.Batch*scenario.BatchSize && len(b.Faults) == faults && b.Failure == nil
}

// executionsOfTurn returns how many executions of the scenario in progress are done.
func (j *Journal) executionsOfTurn() int {
	if j.current == nil {
		return 0
	}
	return j.current.executions()
}

// Path returns the path of the file.
func (j *Journal) Path() string { return j.path }

// Finished reports whether the campaign has ended.
func (j *Journal) Finished() bool { return j.finished }

// Done returns how many of the campaign's scenarios are done, and how many it has.
func (j *Journal) Done() (done, scenarios int) { return len(j.reports()), len(j.head.Scenarios) }

// reports returns the reports of the scenarios that are done.
func (j *Journal) reports() (all []report.ScenarioReport) {
	for _, e := range j.entries {
		if e != nil && e.done != nil {
			all = append(all, *e.done)
		}
	}
	return all
}

// Options returns the options of the campaign that decide what it does: Seed, For, Executions,
// RecordExpected, Shard and Search.
func (j *Journal) Options() Options {
	return Options{
		Seed: j.seed, For: j.head.For, Executions: j.head.Executions, RecordExpected: j.head.RecordExpected, Shard: j.shard,
		Search: j.head.Search,
	}
}
