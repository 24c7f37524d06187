package recording

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/seam"
)

// Version is the version of the format.
const Version = 1

// A Recording reproduces one execution.
type Recording struct {
	Subject   string // what was run: a package and its test, or a scenario
	Setup     string // what the subject was made from, in one line, for who makes it; "" if its name says it all
	Build     string // with what it was recorded: see ThisBuild
	Strategy  string
	Seed      uint64
	Execution int // number in its series
	Verdict   verdict.Verdict
	Summary   string // one line
	Site      string // where the failure shows, for comparing two; "" if that is not known
	Hash      uint64 // of the trace
	// Options are settings of the engine that the course depends on, such as
	// "points" or "memory=views"; in the order in which they were recorded.
	Options []string
	Entries []Entry
}

// title is what the first line begins with.
const title = "rouse schedule "

// Is reports whether the text begins as a recording of this package does, of
// whatever version.
func Is(text []byte) bool { return bytes.HasPrefix(text, []byte(title)) }

// An Entry is one line of the schedule: a decision, or a fault.
type Entry struct {
	Task   string // path of the task: "main/0"; "" at the beginning
	Ops    int    // operations that it had done
	After  bool   // directly after operation Ops, not before it
	Repeat int    // decisions there before this one

	To   string // the task that went on; "" otherwise
	Pick int    // the outcome picked; 0 otherwise

	// Of a fault: the point, the task's visit of it, the kind, and the delay, the limit of
	// a hold, or what a roll made of the counter.
	Point string
	Visit int
	Kind  seam.Fault
	Value uint64
	Until string // of a hold: the point that ends it

	Comment string // for people; not part of the schedule
}

// Entries translates a schedule. path gives the path of a task by its key.
func Entries(s strategy.Schedule, path func(key uint64) string) []Entry {
	var entries []Entry
	for _, d := range s.Deviations {
		e := Entry{Task: path(d.Task), Ops: int(d.Ops), After: d.After, Repeat: int(d.Repeat), Pick: int(d.Pick)}
		if d.Pick == 0 {
			e.To = path(d.To)
		}
		entries = append(entries, e)
	}
	for _, f := range s.Fires {
		entries = append(entries, Entry{Task: path(f.Task), Point: f.Point, Visit: f.Visit, Kind: f.Kind, Value: f.Value, Until: f.Until})
	}
	return entries
}

// Schedule translates back.
func (r *Recording) Schedule() strategy.Schedule {
	var s strategy.Schedule
	key := func(path string) uint64 {
		k, _ := strategy.Key(path) // paths are checked when they are read
		return k
	}
	for _, e := range r.Entries {
		if e.Point != "" {
			s.Fires = append(s.Fires, strategy.Fire{Task: key(e.Task), Point: e.Point, Visit: e.Visit, Kind: e.Kind, Value: e.Value, Until: e.Until})
			continue
		}
		d := strategy.Deviation{Task: key(e.Task), Ops: int32(e.Ops), After: e.After, Repeat: int32(e.Repeat), Pick: int32(e.Pick)}
		if e.Pick == 0 {
			d.To = key(e.To)
		}
		s.Deviations = append(s.Deviations, d)
	}
	return s
}

// String returns the entry's line, without its comment.
func (e Entry) String() string {
	var b strings.Builder
	task := e.Task
	if task == "" {
		task = "-"
	}
	if e.Point != "" {
		fmt.Fprintf(&b, "%s %s #%d: %s", task, e.Point, e.Visit, e.Kind)
		switch e.Kind {
		case seam.Delay:
			b.WriteString(" " + time.Duration(e.Value).String())
		case seam.Hold:
			fmt.Fprintf(&b, " %s %s", e.Until, time.Duration(e.Value))
		case seam.Roll:
			fmt.Fprintf(&b, " %d", e.Value)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%s #%d", task, e.Ops)
	if e.After {
		b.WriteByte('+')
	}
	if e.Repeat > 0 {
		fmt.Fprintf(&b, ".%d", e.Repeat)
	}
	if e.Pick > 0 {
		fmt.Fprintf(&b, ": pick %d", e.Pick)
	} else {
		fmt.Fprintf(&b, ": run %s", e.To)
	}
	return b.String()
}

// String returns the text of the recording.
func (r *Recording) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\n", title, Version)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, oneLine(value))
		}
	}
	line("subject", r.Subject)
	line("setup", r.Setup)
	line("build", r.Build)
	line("strategy", r.Strategy)
	line("seed", fmt.Sprintf("%#x", r.Seed))
	line("execution", fmt.Sprint(r.Execution))
	line("options", strings.Join(r.Options, " "))
	line("verdict", string(r.Verdict))
	line("summary", r.Summary)
	line("site", r.Site)
	line("hash", fmt.Sprintf("%016x", r.Hash))
	b.WriteString("schedule:\n")
	for _, e := range r.Entries {
		b.WriteString(e.String())
		if e.Comment != "" {
			b.WriteString(" # " + oneLine(e.Comment))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// oneLine keeps a text from being several.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Write puts the recording into a file, complete or not at all, replacing what is there. It
// makes missing folders.
func (r *Recording) Write(name string) error {
	return wrap(atomicfile.Write(name, []byte(r.String())))
}

// WriteNew is Write for a file that does not exist yet: if it does, the error wraps fs.ErrExist.
func (r *Recording) WriteNew(name string) error {
	return wrap(atomicfile.WriteNew(name, []byte(r.String())))
}

func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return nil
}
