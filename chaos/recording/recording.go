package recording

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
)

// A Kind says what repeats a recording.
type Kind string

const (
	// Controlled recordings have a schedule, which repeats the execution exactly.
	Controlled Kind = "controlled"
	// Native recordings have a seed, with which the execution is run again: of a native scenario,
	// or of a controlled one whose process crashed.
	Native Kind = "native"
	// Unmodified recordings have a schedule, of a test that nobody has changed: stress test runs it
	// with the runtime under control.
	Unmodified Kind = "unmodified"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{Controlled, Native, Unmodified} }

// Scheduled reports whether recordings of this kind have a schedule, which repeats them exactly.
func (k Kind) Scheduled() bool { return k == Controlled || k == Unmodified }

// phrase returns the kind with its article.
func (k Kind) phrase() string {
	if k == Unmodified {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// An Origin says what has made a recording, and therefore which command repeats it.
type Origin int

const (
	// OfExploration: chaos.Explore, in a test with the tag chaos, which repeats it with the flag -chaos.replay.
	OfExploration Origin = iota
	// OfScenario: a scenario, native or controlled. stress replay repeats it.
	OfScenario
	// OfStressTest: stress test, native or not. It repeats it with the flag --replay.
	OfStressTest
)

// Origin returns what has made the recording.
func (r *Recording) Origin() Origin {
	switch {
	case r.Setup != "" && r.Kind != Unmodified:
		return OfScenario
	case r.Kind == Controlled:
		return OfExploration
	}
	return OfStressTest
}

// OptionFirst is the option of a recording whose execution is the first of its process: what is done once in a
// process is done in it. Without it, an unmodified recording is of a test that had run in the process before.
const OptionFirst = "first"

// A Recording reproduces one execution.
type Recording struct {
	Kind      Kind
	Subject   string // what was run: a package and its test, or a scenario
	Setup     string // lines from which the subject is made, for the program that makes it; "" for a test
	Build     string // what recorded it: see ThisBuild
	Strategy  string
	Seed      uint64
	Execution int // number in its series
	// Options are settings of the engine that the execution depends on, such as
	// "points" or "memory=views".
	Options []string
	Verdict verdict.Verdict
	Summary string // one line
	Site    string // where the failure shows, for comparing two; "" if that is not known

	// Of an execution that has a schedule: see Kind.Scheduled.

	Hash    uint64 // of the trace
	Entries []Entry
	// Found are the entries of the schedule as it was found, if Entries were shrunk from it: see ShrunkFrom.
	Found []Entry

	// Of an unmodified execution.

	Start int64  // the time at which it begins, in nanoseconds since 1970
	Clock string // when timers fire: as control.ParseClock reads it

	// Of a native execution.

	Campaign    uint64 // the seed of the campaign, from which Seed follows
	MaxProcs    int    // GOMAXPROCS of its process
	Explanation []string
	Faults      []FaultCount // in the order of the plan
	// What was seen at its end: the state of the subject, the last events, and the goroutines.
	State, Events, Goroutines string
}

// A FaultCount counts how often a fault of the plan was hit (see plan.Fault) and fired, and how many
// of a hold's fires ended by its limit.
type FaultCount struct {
	At, Kind             string
	Hits, Fires, Expired uint64
}

// Write puts the recording into a file, complete or not at all, replacing what is there. It
// makes missing folders.
func (r *Recording) Write(name string) error {
	if err := atomicfile.Write(name, []byte(r.String())); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return nil
}

// version is the version of the format.
const version = 2

// The lines that frame a recording, and the fields between them.
const (
	title    = "rouse recording "
	kindLine = "kind: "
	end      = "end"
	checksum = end + " sha256 "
	indent   = "  " // of the lines of a block
)

// mostBlock is how many lines of a dump are kept: the first and the last half.
const mostBlock = 20_000

// String returns the text of the recording. What does not print is escaped, except in Setup.
func (r *Recording) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\n%s%s\n", title, version, kindLine, r.Kind)
	for _, f := range fields {
		if !f.isOf(r.Kind) {
			continue
		}
		value := f.write(r)
		switch {
		case f.block && (value != "" || f.needed):
			b.WriteString(f.name + ":\n")
			writeBlock(&b, f.name, value)
		case !f.block && (value != "" || f.needed):
			b.WriteString(f.name + ": " + oneLine(value) + "\n")
		}
	}
	b.WriteString(endLine(b.String()))
	return b.String()
}

func writeBlock(b *strings.Builder, name, value string) {
	if name != "setup" {
		value = strings.Trim(value, "\n")
	}
	if value == "" {
		return
	}
	lines := strings.Split(value, "\n")
	if over := len(lines) - mostBlock; over > 0 && name != "schedule" && name != "found" && name != "setup" {
		lines = slices.Replace(lines, mostBlock/2, mostBlock/2+over, fmt.Sprintf("... %d lines left out ...", over))
	}
	for _, l := range lines {
		if name != "setup" {
			l = printable(l)
		}
		if l != "" {
			b.WriteString(indent + l)
		}
		b.WriteByte('\n')
	}
}

// endLine returns the last line of a recording with that text.
func endLine(text string) string {
	return fmt.Sprintf("%s%x\n", checksum, sha256.Sum256([]byte(text)))
}

// oneLine makes one line of a text.
func oneLine(s string) string { return printable(strings.Join(strings.Fields(s), " ")) }

// printable escapes what does not print.
func printable(line string) string {
	if strings.IndexFunc(line, func(r rune) bool { return r == utf8.RuneError || r != '\t' && !unicode.IsPrint(r) }) < 0 {
		return line
	}
	var b strings.Builder
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, line[0])
		case r != '\t' && !unicode.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	return b.String()
}
