package campaign

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// JournalName is the name of the journal in the folder for recordings.
const JournalName = "journal.jsonl"

// JournalVersion is the version of the journals that this package writes and reads.
const JournalVersion = 6

// A journalLine is one line of a journal, as JSON: the kind, and the part that belongs to
// it. The last key of a line is "crc": the CRC-32 (IEEE) of all bytes before it in the
// journal but for the keys "crc" themselves, so that a line which was changed, lost or
// moved is detected. Only the last line may be torn, by a kill of its writer.
type journalLine struct {
	Schema  int           `json:"schema"`
	Kind    string        `json:"kind"`
	Elapsed time.Duration `json:"elapsed_ns"` // time of the campaign, without time that a kill lost

	Campaign *journalCampaign       `json:"campaign,omitempty"` // first
	Turn     *journalTurn           `json:"scenario,omitempty"` // begins a turn, or resumes one
	Begin    *run.Begin             `json:"begin,omitempty"`    // of an execution, or of a batch
	Result   *outcome.Result        `json:"result,omitempty"`
	Batch    *run.BatchReport       `json:"batch,omitempty"`
	Waiting  *run.BatchReport       `json:"waiting,omitempty"` // a batch that is done, and counts when those before it do
	Recorded *journalRecorded       `json:"recorded,omitempty"`
	Done     *report.ScenarioReport `json:"done,omitempty"` // with its index
	Sample   *report.Sample         `json:"sample,omitempty"`
}

// The kinds of lines.
const (
	lineCampaign = "campaign"
	lineScenario = "scenario"
	lineBegin    = "begin"
	lineResult   = "result"
	lineBatch    = "batch"
	lineWaiting  = "waiting"
	lineRecorded = "recorded"
	lineDone     = "done"
	lineSample   = "sample"
	lineResumed  = "resumed"
	lineEnd      = "end"
)

// A journalCampaign holds what a resumed campaign must have in common with its journal.
type journalCampaign struct {
	Build          outcome.Build        `json:"build"`
	Program        string               `json:"program,omitempty"` // see outcome.ProgramHash
	Seed           string               `json:"seed"`
	For            time.Duration        `json:"for_ns,omitempty"`
	Executions     int                  `json:"executions,omitempty"`
	RecordExpected bool                 `json:"record_expected"`
	Shard          string               `json:"shard,omitempty"`
	Scenarios      []journalScenario    `json:"scenarios"`
	Search         outcome.SearchBudget `json:"search,omitzero"`
}

type journalScenario struct {
	Name    string `json:"name"`
	Variant string `json:"variant,omitempty"`
	Setup   string `json:"setup"` // a hash of the scenario
}

// A journalTurn is a turn of a scenario with its progress.
type journalTurn struct {
	Index int           `json:"index"` // in the order of the campaign
	Turn  int           `json:"turn"`  // from 1
	Slice time.Duration `json:"slice_ns"`
	Began time.Duration `json:"began_ns"`
	Spent time.Duration `json:"spent_ns"` // before this turn
	// Tally is nil if earlier lines have it.
	Tally *totals `json:"tally,omitempty"`
	// Over means that the turn has ended, and Spent includes its time.
	Over bool `json:"over,omitempty"`
}

type journalRecorded struct {
	Recording string          `json:"recording"`
	Shrunk    string          `json:"shrunk,omitempty"`
	Search    *outcome.Search `json:"search,omitempty"`
}

// encode returns the text of the line after lines with the given CRC, and the CRC after it.
func (l journalLine) encode(crc uint32) ([]byte, uint32, error) {
	l.Schema = JournalVersion
	text, err := json.Marshal(l)
	if err != nil {
		return nil, crc, err
	}
	text = text[:len(text)-1]
	crc = crc32.Update(crc, crc32.IEEETable, text)
	return fmt.Appendf(text, crcFormat, crc), crc, nil
}

const (
	crcFormat = ",\"crc\":\"%08x\"}\n"
	crcLength = len(`,"crc":"01234567"}` + "\n")
)
