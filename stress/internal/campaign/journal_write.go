package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

const (
	// syncTime is how much of a journal a power loss may lose. A killed process loses
	// nothing that it has written.
	syncTime = time.Second
	// compactSize is how many bytes a journal may grow by until the results of the
	// scenarios in progress are replaced by their sums.
	compactSize = 4 << 20
)

// A journalWriter writes a journal, before each execution and after it. A nil one writes nothing.
type journalWriter struct {
	path    string
	f       *os.File
	unlock  func()
	elapsed func() time.Duration
	head    journalCampaign
	entries []*entry

	current *entry       // its turn is in progress; nil if none is
	begun   []*run.Begin // begun without a result so far
	samples report.Samples
	size    int64
	compact int64 // the size at which it is rewritten
	growth  int64 // compactSize, except in tests
	crc     uint32
	synced  time.Time
}

// startJournal makes a new journal in the folder, and replaces an existing one.
func startJournal(dir string, head journalCampaign, entries []*entry, growth int64, elapsed func() time.Duration) (*journalWriter, error) {
	j := &journalWriter{path: filepath.Join(dir, JournalName), head: head, entries: entries, elapsed: elapsed, growth: cmp.Or(growth, compactSize)}
	undo, err := atomicfile.MkdirAll(dir)
	if err == nil {
		j.unlock, err = lockFolder(dir)
	}
	if err == nil {
		err = j.rewrite()
	}
	if err != nil {
		j.close()
		undo()
		return nil, journalTrouble(j.path, err)
	}
	return j, nil
}

// resume opens a journal that was read, to continue it. It cuts off a torn line at its end.
func (r *Journal) resume(entries []*entry, growth int64, elapsed func() time.Duration) (*journalWriter, error) {
	j := &journalWriter{path: r.path, head: r.head, elapsed: elapsed, growth: cmp.Or(growth, compactSize), entries: entries, samples: r.samples.Clone()}
	unlock, err := lockFolder(filepath.Dir(r.path))
	if err != nil {
		return nil, journalTrouble(r.path, err)
	}
	j.unlock = unlock
	j.size, j.crc, j.compact = r.size, r.crc, r.size+j.growth
	if err = j.open(); err == nil {
		var info os.FileInfo
		if info, err = j.f.Stat(); err == nil && info.Size() != r.size+r.torn {
			err = errors.New("it was written to after it was read")
		}
	}
	if err == nil {
		err = j.f.Truncate(r.size)
	}
	if err != nil {
		j.close()
		return nil, journalTrouble(r.path, err)
	}
	return j, j.write(journalLine{Kind: lineResumed}, true)
}

// errLocked reports that another campaign writes into the folder.
var errLocked = errors.New("another campaign is writing it")

func journalTrouble(path string, err error) error {
	if errors.Is(err, errLocked) {
		return &scenario.InputError{File: path, Problem: err.Error()}
	}
	return fmt.Errorf("cannot write the journal: %s: %s", path, scenario.Reason(err))
}

// began notes that a turn of a scenario begins, or is resumed.
func (j *journalWriter) began(e *entry) error {
	if j == nil {
		return nil
	}
	j.current, j.begun = e, nil
	l := turnLine(e)
	if e.journaled {
		l.Turn.Tally = nil
	}
	e.journaled = true
	return j.write(l, false)
}

// turnLine returns the line of a scenario's last turn, with its sums.
func turnLine(e *entry) journalLine {
	return journalLine{Kind: lineScenario, Turn: &journalTurn{e.index, e.turns, e.slice, e.began, e.spent, &e.totals, false}}
}

// progressLines returns the line of a scenario's last turn, and those of the batches that wait.
func progressLines(e *entry) []journalLine {
	lines := []journalLine{turnLine(e)}
	for _, b := range e.waiting.from(e.Next) {
		lines = append(lines, journalLine{Kind: lineWaiting, Waiting: e.waiting[b]})
	}
	return lines
}

// begins notes that an execution, or a batch, is about to run.
func (j *journalWriter) begins(b *run.Begin) error {
	if j == nil {
		return nil
	}
	j.begun = append(j.begun, b)
	return j.write(journalLine{Kind: lineBegin, Begin: b}, false)
}

// result notes the result of an execution, which the tally already has.
func (j *journalWriter) result(r *outcome.Result) error {
	if j == nil {
		return nil
	}
	j.begun = nil
	return j.write(journalLine{Kind: lineResult, Result: r}, r.Verdict != verdict.Pass)
}

// batch notes the result of a batch, which the tally already has.
func (j *journalWriter) batch(b *run.BatchReport) error {
	if j == nil {
		return nil
	}
	j.batchDone(b)
	return j.write(journalLine{Kind: lineBatch, Batch: b}, b.Failure != nil)
}

// waits notes that a batch is done, but counts only after those before it.
func (j *journalWriter) waits(b *run.BatchReport) error {
	if j == nil {
		return nil
	}
	j.batchDone(b)
	return j.write(journalLine{Kind: lineWaiting, Waiting: b}, false)
}

func (j *journalWriter) batchDone(b *run.BatchReport) {
	j.begun = slices.DeleteFunc(j.begun, func(a *run.Begin) bool { return inBatch(b, a.Execution) })
}

// freeze keeps the journal from being rewritten: additions to the tally from now on are only for a report.
func (j *journalWriter) freeze() {
	if j != nil {
		j.compact = math.MaxInt64
	}
}

// inBatch reports whether an execution is in the batch; an exhaustive scenario has only one batch.
func inBatch(b *run.BatchReport, execution int) bool {
	return b.Complete || execution/scenario.BatchSize == b.Batch
}

// recorded notes where the recording of the last failure is.
func (j *journalWriter) recorded(t *tally) error {
	if j == nil || t.Recording == "" {
		return nil
	}
	return j.write(journalLine{Kind: lineRecorded, Recorded: &journalRecorded{t.Recording, t.Shrunk, t.Search}}, true)
}

// ended notes that a scenario is done.
func (j *journalWriter) ended(e *entry) error {
	if j == nil {
		return nil
	}
	j.current = nil
	return j.write(journalLine{Kind: lineDone, Done: e.done}, true)
}

// sampled notes a sample.
func (j *journalWriter) sampled(s report.Sample) error {
	if j == nil {
		return nil
	}
	j.samples.Add(s)
	return j.write(journalLine{Kind: lineSample, Sample: &s}, false)
}

// end notes that the campaign is done.
func (j *journalWriter) end() error {
	if j == nil {
		return nil
	}
	return j.write(journalLine{Kind: lineEnd}, true)
}

// close closes the journal.
func (j *journalWriter) close() {
	if j == nil {
		return
	}
	if j.f != nil {
		j.f.Close() //nolint:errcheck // everything that matters is synced
	}
	if j.unlock != nil {
		j.unlock()
	}
}

// write appends a line, in one write. It removes a partly written line.
func (j *journalWriter) write(l journalLine, sync bool) error {
	l.Elapsed = j.elapsed()
	text, crc, err := l.encode(j.crc)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(text); err != nil {
		j.f.Truncate(j.size) //nolint:errcheck // a reader ignores a torn line
		j.f.Seek(j.size, 0)  //nolint:errcheck // likewise
		return journalTrouble(j.path, err)
	}
	j.size, j.crc = j.size+int64(len(text)), crc
	if j.size >= j.compact && j.current != nil {
		if err := j.rewrite(); err != nil {
			return journalTrouble(j.path, err)
		}
	}
	if sync || time.Since(j.synced) > syncTime {
		if err := j.f.Sync(); err != nil {
			return journalTrouble(j.path, err)
		}
		j.synced = time.Now()
	}
	return nil
}

// rewrite replaces the journal by one of sums.
func (j *journalWriter) rewrite() error {
	lines := []journalLine{{Kind: lineCampaign, Campaign: &j.head}}
	for _, e := range j.entries {
		if e.done != nil {
			lines = append(lines, journalLine{Kind: lineDone, Done: e.done})
		}
	}
	for i := range j.samples.Kept {
		lines = append(lines, journalLine{Kind: lineSample, Sample: &j.samples.Kept[i]})
	}
	for _, e := range j.entries {
		if e.journaled && e.done == nil && e != j.current {
			over := turnLine(e)
			over.Turn.Tally, over.Turn.Over = nil, true
			lines = append(append(lines, progressLines(e)...), over)
		}
	}
	if j.current != nil {
		lines = append(lines, progressLines(j.current)...)
	}
	for _, b := range j.begun {
		lines = append(lines, journalLine{Kind: lineBegin, Begin: b})
	}
	var text []byte
	var crc uint32
	for _, l := range lines {
		l.Elapsed = j.elapsed()
		line, next, err := l.encode(crc)
		if err != nil {
			return err
		}
		text, crc = append(text, line...), next
	}
	atomicfile.RemoveStale(j.path) // of a campaign that was killed here
	if err := atomicfile.Write(j.path, text); err != nil {
		return err
	}
	if j.f != nil {
		j.f.Close() //nolint:errcheck // the file is gone
	}
	j.size, j.crc, j.compact, j.synced = int64(len(text)), crc, int64(len(text))+j.growth, time.Now()
	return j.open()
}

// open opens the file to append to it.
func (j *journalWriter) open() (err error) {
	if j.f, err = os.OpenFile(j.path, os.O_WRONLY, 0); err == nil {
		_, err = j.f.Seek(j.size, io.SeekStart)
	}
	return err
}
