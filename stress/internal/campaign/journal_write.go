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
	// syncTime is how much of a journal a machine that loses its power may lose. A
	// process that is killed loses nothing of what it has written.
	syncTime = time.Second
	// compactSize is what a journal may grow by, in bytes, until the results of the
	// scenario under way are replaced by their sum.
	compactSize = 4 << 20
)

// A journal is being written: before each execution and after it. Nil is none, and takes
// everything.
type journal struct {
	path    string
	f       *os.File
	unlock  func()
	elapsed func() time.Duration
	head    journalCampaign
	done    []report.ScenarioReport

	index   int // of the scenario under way, if turn is set
	turn    *turn
	begun   []*run.Begin // that have no result
	samples report.Samples
	size    int64
	compact int64 // the size at which it is rewritten
	growth  int64 // compactSize, but in tests
	crc     uint32
	synced  time.Time
}

// startJournal makes a new journal in the folder, in the place of one that is there.
func startJournal(dir string, head journalCampaign, growth int64, elapsed func() time.Duration) (*journal, error) {
	j := &journal{path: filepath.Join(dir, JournalName), head: head, elapsed: elapsed, growth: cmp.Or(growth, compactSize)}
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

// goOn opens a journal that was read, to be continued. What is torn at its end is cut off.
func (r *Journal) goOn(growth int64, elapsed func() time.Duration) (*journal, error) {
	j := &journal{path: r.path, head: r.head, elapsed: elapsed, growth: cmp.Or(growth, compactSize), done: r.done, samples: r.samples.Clone()}
	unlock, err := lockFolder(filepath.Dir(r.path))
	if err != nil {
		return nil, journalTrouble(r.path, err)
	}
	j.unlock = unlock
	j.size, j.crc, j.compact = r.size, r.crc, r.size+j.growth
	if err = j.Open(); err == nil {
		var info os.FileInfo
		if info, err = j.f.Stat(); err == nil && info.Size() != r.size+r.torn {
			err = errors.New("somebody has written to it since it was read")
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

// errLocked says that another campaign writes into the folder.
var errLocked = errors.New("another campaign is writing it")

func journalTrouble(path string, err error) error {
	if errors.Is(err, errLocked) {
		return &scenario.InputError{File: path, Problem: err.Error()}
	}
	return fmt.Errorf("cannot write the journal: %s: %s", path, scenario.Reason(err))
}

// began notes that the scenario's turn has come.
func (j *journal) began(index int, t *turn) error {
	if j == nil {
		return nil
	}
	j.index, j.turn, j.begun = index, t, nil
	return j.write(j.turnLine(), false)
}

func (j *journal) turnLine() journalLine {
	t := j.turn
	return journalLine{Kind: lineScenario, Turn: &journalTurn{j.index, t.share, t.began, t.totals}}
}

// begins notes that an execution, or a batch, is about to run.
func (j *journal) begins(b *run.Begin) error {
	if j == nil {
		return nil
	}
	j.begun = append(j.begun, b)
	return j.write(journalLine{Kind: lineBegin, Begin: b}, false)
}

// result notes what an execution came to, which the tally has taken in.
func (j *journal) result(r *outcome.Result) error {
	if j == nil {
		return nil
	}
	j.begun = nil
	return j.write(journalLine{Kind: lineResult, Result: r}, r.Verdict != verdict.Pass)
}

// batch notes what a batch came to, which the tally has taken in.
func (j *journal) batch(b *run.BatchReport) error {
	if j == nil {
		return nil
	}
	j.batchDone(b)
	return j.write(journalLine{Kind: lineBatch, Batch: b}, b.Failure != nil)
}

// waits notes that a batch is done, which counts when those before it do.
func (j *journal) waits(b *run.BatchReport) error {
	if j == nil {
		return nil
	}
	j.batchDone(b)
	return j.write(journalLine{Kind: lineWaiting, Waiting: b}, false)
}

func (j *journal) batchDone(b *run.BatchReport) {
	j.begun = slices.DeleteFunc(j.begun, func(a *run.Begin) bool { return inBatch(b, a.Execution) })
}

// freeze keeps the journal from being rewritten: what is counted from now on is for a report only.
func (j *journal) freeze() {
	if j != nil {
		j.compact = math.MaxInt64
	}
}

// inBatch reports whether an execution is of the batch; in an exhaustive scenario there is but one.
func inBatch(b *run.BatchReport, execution int) bool {
	return b.Complete || execution/scenario.BatchSize == b.Batch
}

// recorded notes where the recording of the last conviction is.
func (j *journal) recorded(t *tally) error {
	if j == nil || t.Recording == "" {
		return nil
	}
	return j.write(journalLine{Kind: lineRecorded, Recorded: &journalRecorded{t.Recording, t.Shrunk}}, true)
}

// ended notes that a scenario is done.
func (j *journal) ended(s report.ScenarioReport) error {
	if j == nil {
		return nil
	}
	j.done, j.turn = append(j.done, s), nil
	return j.write(journalLine{Kind: lineDone, Done: &s}, true)
}

// sampled notes what the campaign has done and holds.
func (j *journal) sampled(s report.Sample) error {
	if j == nil {
		return nil
	}
	j.samples.Add(s)
	return j.write(journalLine{Kind: lineSample, Sample: &s}, false)
}

// end notes that the campaign is done.
func (j *journal) end() error {
	if j == nil {
		return nil
	}
	return j.write(journalLine{Kind: lineEnd}, true)
}

// close leaves the journal as it is.
func (j *journal) close() {
	if j == nil {
		return
	}
	if j.f != nil {
		j.f.Close() //nolint:errcheck // what matters has been synced
	}
	if j.unlock != nil {
		j.unlock()
	}
}

// write appends a line, in one write. What it cannot write whole it takes back.
func (j *journal) write(l journalLine, sync bool) error {
	l.Elapsed = j.elapsed()
	text, crc, err := l.encode(j.crc)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(text); err != nil {
		j.f.Truncate(j.size) //nolint:errcheck // who reads it knows what to do with a torn line
		j.f.Seek(j.size, 0)  //nolint:errcheck // likewise
		return journalTrouble(j.path, err)
	}
	j.size, j.crc = j.size+int64(len(text)), crc
	if j.size >= j.compact && j.turn != nil {
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

// rewrite puts in the journal's place one that says the same in fewer words.
func (j *journal) rewrite() error {
	lines := []journalLine{{Kind: lineCampaign, Campaign: &j.head}}
	for i := range j.done {
		lines = append(lines, journalLine{Kind: lineDone, Done: &j.done[i]})
	}
	for i := range j.samples.Kept {
		lines = append(lines, journalLine{Kind: lineSample, Sample: &j.samples.Kept[i]})
	}
	if j.turn != nil {
		lines = append(lines, j.turnLine())
	}
	for _, b := range j.begun {
		lines = append(lines, journalLine{Kind: lineBegin, Begin: b})
	}
	if j.turn != nil {
		for _, b := range j.turn.waiting.from(j.turn.Next) {
			lines = append(lines, journalLine{Kind: lineWaiting, Waiting: j.turn.waiting[b]})
		}
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
		j.f.Close() //nolint:errcheck // it has no name any more
	}
	j.size, j.crc, j.compact, j.synced = int64(len(text)), crc, int64(len(text))+j.growth, time.Now()
	return j.Open()
}

// open opens the file of a journal to append to it.
func (j *journal) Open() (err error) {
	if j.f, err = os.OpenFile(j.path, os.O_WRONLY, 0); err == nil {
		_, err = j.f.Seek(j.size, io.SeekStart)
	}
	return err
}
