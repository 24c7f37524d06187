package wire

import (
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
)

// Variable is the environment variable that makes a test binary a worker. Its value is a [Setup], as
// JSON. The worker removes it before any code of the user runs that could start a process.
const Variable = "ROUSE_WORKER"

// The files of a worker, as it finds them. It moves them to high numbers, where what a test does with its
// own files does not come across them.
const (
	RequestFile = 3
	AnswerFile  = 4
	NumberFile  = 5 // NumberSize bytes: see there
)

// What is in the file of the number, little endian: eight bytes are the number of the current execution, or
// NoNumber, as many change while it makes steps, and the first of the last ones is 1 if the worker cannot speak with
// stress test any more: a test has done something to its files. The rest are the temporary folders that the tests
// of the execution have made and not removed, each followed by a zero, as far as there is room.
const (
	NumberPrefix        = "number" // begins its name
	NumberSize          = 1 << 16
	StepsAt             = 8
	LostAt              = 16
	MadeAt              = 24
	NoNumber     uint64 = 1<<64 - 1 // no execution of the request has begun
)

// Version is the protocol version. Both sides come from the same build of rouse, so another one means
// a stale cache.
const Version = 1

// A Setup is what a worker must know before main: see [Variable].
type Setup struct {
	Version int `json:"version"`
	// Nonce is in each answer: a line without it is not the worker's.
	Nonce string `json:"nonce"`
	// Start is the time, in nanoseconds since 1970, that executions begin at: of the wall clock when
	// stress test began, or that of a recording.
	Start int64 `json:"start"`
	// Native: goroutines run in parallel, with seeded delays at the points.
	Native bool `json:"native,omitempty"`
	// Own are the paths of the modules that are the user's own.
	Own []string `json:"own,omitempty"`
	// Root is the folder whose files are inputs of the package: see Input.
	Root string `json:"root,omitempty"`
	// Unverified: the Go is not one of those that have been tried. Recordings say so.
	Unverified bool `json:"unverified,omitempty"`
	// RaceLog is the path that RaceOptions was given, "" without the race detector: reports are in
	// the file of that name, a dot, and the number of the process.
	RaceLog string `json:"raceLog,omitempty"`
	// Variables is the path of a file with the program's PackageVariables; if the file has none, they are not known.
	// With "" none are looked at.
	Variables string `json:"variables,omitempty"`
	// Debug is a folder with the only request, to debug, of a worker that a debugger runs, in the file DebugRequest.
	// The worker prints the outcome, and makes its file of the number there. "" if there is none.
	Debug string `json:"debug,omitempty"`
}

// DebugRequest is the name of the file in Setup.Debug.
const DebugRequest = "request.json"

// RaceVariable is the environment variable with the options of the race detector.
const RaceVariable = "GORACE"

// RaceOptions returns the value of RaceVariable for a worker, given the user's. Reports go to a file,
// whose path has no blanks. The detector must report a race in every execution that has it, or none
// could be repeated and shrunk; by default it does so once in a process.
func RaceOptions(users, log string) string {
	return strings.TrimSpace(users + " suppress_equal_stacks=0 suppress_equal_addresses=0 halt_on_error=0 exitcode=0 atexit_sleep_ms=0 log_path=" + log)
}

// A Do is what a request asks for.
type Do string

// What a request may ask for.
const (
	// List asks for the names of the tests that -test.run selects: an answer Listed.
	List Do = "list"
	// Explore asks for the executions From to To of a test, up to the first that fails: an answer
	// Explored or Failed.
	Explore Do = "explore"
	// Settle asks to repeat the recording of a failure in a process that has not failed yet, to shrink
	// it, and to explain it: an answer Settled or Unrepeatable.
	Settle Do = "settle"
	// Replay asks to repeat a recording once, exactly: an answer Replayed.
	Replay Do = "replay"
	// Debug asks to repeat a recording and to stop for a debugger: see Setup.Debug.
	Debug Do = "debug"
)

// A Request is what stress test asks of a worker.
type Request struct {
	Do   Do     `json:"do"`
	Test string `json:"test,omitempty"` // the name of a top-level test

	Settings Settings `json:"settings"`

	// Of Explore. Executions are numbered from 0 within a test; From is the first of a batch of the
	// strategy (internal/explore.Batches), so that findings do not depend on which worker runs it.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// Few: if all there is are MostFew executions or fewer, they are explored, whatever the strategy, and the answer has
	// Exhausted and By.
	Few bool `json:"few,omitempty"`

	// Step, of Debug, is the one before which the worker stops.
	Step int `json:"step,omitempty"`
	// Decide, of Replay: the answer has Step and Said, and nothing else.
	Decide bool `json:"decide,omitempty"`
	// Of Settle, Replay and Debug: the text of a recording, and how many attempts shrinking may make.
	Recording string `json:"recording,omitempty"`
	Attempts  int    `json:"attempts,omitempty"`
	// Within, of Settle and Replay: shrinking begins no attempt after that time, and explaining no experiment; 0 means
	// no bound.
	Within time.Duration `json:"within,omitempty"`
	// Against, of Replay, names an execution that passes, which the failure is compared with: see
	// internal/explore.Search.Passing. "" means the nearest one.
	Against string `json:"against,omitempty"`
	// Way, of Replay: the answer has Way and Outside, and nothing about how alike the execution
	// was.
	Way bool `json:"way,omitempty"`
	// Brief, of Replay: the report explains nothing, which takes further executions.
	Brief bool `json:"brief,omitempty"`
	// Timelines: the answer has the timelines of the failure, which are large.
	Timelines bool `json:"timelines,omitempty"`

	// First, of Settle and Replay: the execution is the first of its process, as it is anyway if the recording
	// says so. Otherwise the test has run there before.
	First bool `json:"first,omitempty"`
	// Alone, of Explore: execution From is the first of its process, and the only one. stress test has the
	// strategy, which it asks by answers Choose. With nil the worker has the strategy.
	Alone *Alone `json:"alone,omitempty"`
}

// Alone holds what a strategy reports when it begins an execution: see the interfaces of package
// strategy.
type Alone struct {
	SkipsForced   bool `json:"skipsForced,omitempty"`
	SwitchesAfter bool `json:"switchesAfter,omitempty"`
	Observes      bool `json:"observes,omitempty"`
	OnlySpawns    bool `json:"onlySpawns,omitempty"`
	Known         int  `json:"known,omitempty"`
	Asides        bool `json:"asides,omitempty"`
}

// DefaultMaxSteps is Settings.MaxSteps if that is 0: tests of a million operations are common.
const DefaultMaxSteps = 10_000_000

// Settings are the settings of a run of stress test. Findings depend on all of them.
type Settings struct {
	Seed     uint64 `json:"seed"`               // of the run; that of an execution follows from it
	Strategy string `json:"strategy,omitempty"` // as strategy.Parse reads it
	Clock    string `json:"clock,omitempty"`    // lazy, racy or mixed: see control.Clock
	Batch    int    `json:"batch,omitempty"`    // executions per batch
	MaxSteps int    `json:"maxSteps,omitempty"`
	Leaks    bool   `json:"leaks,omitempty"` // goroutines left behind are a failure
	Short    bool   `json:"short,omitempty"`
}

// A Kind is the kind of an answer.
type Kind string

// The kinds of answers.
const (
	Progress     Kind = "progress"     // Counts since the last answer
	Choose       Kind = "choose"       // Question; the reply is ReplySize bytes, little endian
	Listed       Kind = "listed"       // Tests
	Explored     Kind = "explored"     // Counts, Next, Exhausted, Notes: nothing failed
	Failed       Kind = "failed"       // Failure of execution Next, not shrunk; Counts
	Settled      Kind = "settled"      // Failure, shrunk and explained
	Unrepeatable Kind = "unrepeatable" // Failure as it was found; Reason says what differs
	Replayed     Kind = "replayed"     // Failure as it was repeated; Likeness, Reason, Unused, Gone, Skipped
	Incomparable Kind = "incomparable" // Reason: the execution that Request.Against names does not pass
	Refused      Kind = "refused"      // Reason: the request is bad, or the tool failed
)

// An Answer is what a worker sends.
type Answer struct {
	Kind      Kind     `json:"kind"`
	Nonce     string   `json:"nonce,omitempty"` // see Setup
	Tests     []string `json:"tests,omitempty"`
	Counts    Counts   `json:"counts"`
	Next      int      `json:"next,omitempty"`      // the execution that failed, or the first that has not run
	Exhausted string   `json:"exhausted,omitempty"` // the result of a strategy that has nothing left to explore
	By        string   `json:"by,omitempty"`        // that strategy, if it is not the one of the settings
	Skipped   bool     `json:"skipped,omitempty"`   // the test has called Skip
	Failure   *Failure `json:"failure,omitempty"`
	Likeness  string   `json:"likeness,omitempty"` // exact, same-failure, not-reproduced
	Reason    string   `json:"reason,omitempty"`   // why it is not more alike, or the test was skipped
	// Of Replayed: how many entries of the recording did not apply, and what is missing for them, a line each.
	Unused int      `json:"unused,omitempty"`
	Gone   []string `json:"gone,omitempty"`
	// Way lists what the tasks did, if the request asks for it. Outside lists what of it nothing controls, and is
	// set for repetitions that are not exact, too.
	Way     []string `json:"way,omitempty"`
	Outside string   `json:"outside,omitempty"`
	// Step is the decisive one, if the request asks for it, and Said has the lines for the user.
	Step int      `json:"step,omitempty"`
	Said []string `json:"said,omitempty"`

	Notes []string `json:"notes,omitempty"` // what was not explored, not controlled, or left behind
	// Differs, of Explored: the first execution of the process and the second differ, by the same schedule. With
	// DiffersInVerdict none has run, and all are to run alone. With the others those that it samples have not run, or (in
	// variables) do not count, and are to run alone.
	Differs Difference `json:"differs,omitempty"`
	// Second, if the second one fails, says how.
	Second string `json:"second,omitempty"`
	// Alone, of Settled: Failure is not shrunk, since a second execution in the process takes another way, or one
	// while it was shrunk has taken another way, as Reason says.
	Alone bool `json:"alone,omitempty"`
	// Instead, of Unrepeatable, is how the repetition failed, without a recording; nil if it has passed.
	Instead *Failure `json:"instead,omitempty"`
	// Cut, of Settled: shrinking would have gone on, and its time was up.
	Cut bool `json:"cut,omitempty"`
	// Base, of Settled, is the failure as it was repeated, before it was shrunk.
	Base *Failure `json:"base,omitempty"`
	// Question, of Choose, is the question.
	Question []byte `json:"question,omitempty"`
	// Of an execution that has run alone: how it ended, and the recording of one that has passed.
	Ended  *strategy.Result `json:"ended,omitempty"`
	Passed string           `json:"passed,omitempty"`
	// Inputs are those that the process has asked for since the last answer. With InputsLost there are others.
	Inputs     []Input `json:"inputs,omitempty"`
	InputsLost bool    `json:"inputsLost,omitempty"`
	// Tainted is why the process should serve no more requests: what an execution has left behind could
	// change others. "" if there is no reason.
	Tainted string `json:"tainted,omitempty"`
}

// A Difference is how the first execution of a process and the second one differ.
type Difference string

// What may differ.
const (
	DiffersInTrace     Difference = "trace"
	DiffersInVerdict   Difference = "verdict"
	DiffersInVariables Difference = "variables"
)

// SkipsEnough is how many executions, the first ones and all of them, have to call Skip for a test to count as one
// that does not run here.
const SkipsEnough = 8

// EnoughSkips reports whether a test counts as one that does not run here if all executions up to n have called Skip,
// of those before to.
func EnoughSkips(n, to int) bool { return n+1 >= SkipsEnough || n+1 == to }

// MostAgain is the number of executions up to which what an exhaustive search has explored in one process is explored again,
// with a process for each.
const MostAgain = 1000

// MostFew is how many executions all there is may be for a request with Few.
const MostFew = 32

// Samples reports whether execution n is one of those that run alone. A difference only in variables is, more often
// than not, a counter.
func (d Difference) Samples(n int) bool {
	switch d {
	case DiffersInVerdict:
		return true
	case DiffersInTrace:
		return n%16 == 0
	case DiffersInVariables:
		return n%64 == 0 || n < 64 && n%8 == 0
	}
	return false
}

// ReplySize is the size of the reply to a question, in bytes.
const ReplySize = 4

// Counts counts executions since the last answer to the same request.
type Counts struct {
	Executions int `json:"executions,omitempty"`
	Alone      int `json:"alone,omitempty"` // executions, each the first of its process
	Steps      int `json:"steps,omitempty"`
	// Cut are those of the executions that have reached the limit of steps.
	Cut int `json:"cut,omitempty"`
	// Traces is the sum of hashes, of each execution's number and trace hash: equal for the same
	// executions, whichever workers they were dealt to.
	Traces uint64 `json:"traces,omitempty"`
	// Orders are hashes of the executions' partial orders, without those that the worker has reported three
	// times already for this test.
	Orders []uint64 `json:"orders,omitempty"`
	// Evidence is what else the executions show if they pass.
	Evidence evidence.Counts `json:"evidence,omitzero"`
}

// TooManyCut reports whether a batch is given up after so many executions, of which some were cut: each of
// those takes many seconds.
func TooManyCut(cut, executions int) bool { return cut > 2+executions/16 }

// A Failure is an execution that has failed.
type Failure struct {
	Execution int             `json:"execution"`
	Seed      uint64          `json:"seed"` // of the execution
	Strategy  string          `json:"strategy"`
	Verdict   verdict.Verdict `json:"verdict"`
	Summary   string          `json:"summary"`
	Site      string          `json:"site,omitempty"`
	Hash      uint64          `json:"hash"`
	First     bool            `json:"first,omitempty"`    // the execution was the first of its process
	Differed  bool            `json:"differed,omitempty"` // Uncontrolled: it took another way when it was repeated
	// Uncontrolled: the test fails by its own checks, after it has used what is known to be real.
	Real bool `json:"real,omitempty"`
	// Differed: the execution passes, and the repetition does not.
	Fails bool `json:"fails,omitempty"`
	// The execution has met something that control does not decide, such as what a system call returns.
	Outside   bool   `json:"outside,omitempty"`
	Steps     int    `json:"steps"`
	Recording string `json:"recording"` // its text
	// Decisions counts the entries of the schedule, before and after it was shrunk.
	Decisions [2]int `json:"decisions"`
	// Page is what people read: the table, which task waits for what, stacks, the output of the test. Report
	// is its text.
	Page   *explain.Page `json:"page,omitempty"`
	Report string        `json:"report,omitempty"`
	// Timelines are the executions as data, if the request asks for them, without sources.
	Timelines *explain.Timelines `json:"timelines,omitempty"`
	Output    string             `json:"output,omitempty"` // of the test: what it logged and printed with t
}
