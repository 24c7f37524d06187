package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

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
	path = once(path)
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

// once returns a function that calls path once for each key: path searches all tasks.
func once(path func(key uint64) string) func(key uint64) string {
	known := map[uint64]string{}
	return func(key uint64) string {
		text, ok := known[key]
		if !ok {
			text = path(key)
			known[key] = text
		}
		return text
	}
}

// Tasks returns the paths of the tasks at which the schedule decides, and of those that it lets continue.
func (r *Recording) Tasks() (paths []string) {
	for _, e := range r.Entries {
		for _, path := range []string{e.Task, e.To} {
			if path != "" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// Schedule translates the entries back.
func (r *Recording) Schedule() strategy.Schedule {
	var s strategy.Schedule
	if r.Kind == Unmodified {
		s.Seed = r.Seed
	}
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

// entry reads a line of the schedule.
func (p *parser) entry(line string) (Entry, error) {
	var e Entry
	rest := line
	if body, comment, ok := strings.Cut(line, " # "); ok {
		rest, e.Comment = body, comment
	}
	place, what, ok := strings.Cut(rest, ": ")
	if !ok {
		return e, p.wrong(1, quote(line), `an entry such as "main/0 #2: run main/1"`)
	}
	words := strings.Fields(place)
	if len(words) < 2 || len(words) > 3 {
		return e, p.wrong(1, quote(place), `a place such as "main/0 #2"`)
	}
	if e.Task = words[0]; e.Task == "-" {
		e.Task = ""
	} else if err := p.task(e.Task, 1); err != nil {
		return e, err
	}
	last := words[len(words)-1]
	count, repeat, repeats := strings.Cut(strings.TrimPrefix(last, "#"), ".")
	count, e.After = strings.CutSuffix(count, "+")
	n, err := strconv.ParseUint(count, 10, 31)
	if e.After && len(words) == 3 || !strings.HasPrefix(last, "#") || err != nil {
		return e, p.wrong(strings.LastIndex(place, last)+1, quote(last), `a number such as "#2"`)
	}
	if repeats {
		m, err := strconv.ParseUint(repeat, 10, 31)
		if err != nil || len(words) == 3 {
			return e, p.wrong(strings.LastIndex(place, last)+1, quote(last), `a number such as "#2"`)
		}
		e.Repeat = int(m)
	}
	column := len(place) + 3
	if len(words) == 3 {
		e.Point, e.Visit = words[1], int(n)
		return e, p.fault(&e, what, column)
	}
	e.Ops = int(n)
	verb, argument, _ := strings.Cut(what, " ")
	switch verb {
	case "run":
		if err := p.task(argument, column+4); err != nil {
			return e, err
		}
		e.To = argument
	case "pick":
		n, err := strconv.ParseUint(argument, 10, 31)
		if err != nil || n == 0 {
			return e, p.wrong(column+5, quote(argument), "the number of an outcome, 1 or more")
		}
		e.Pick = int(n)
	default:
		return e, p.wrong(column, quote(what), `"run" and a task, or "pick" and a number`)
	}
	return e, nil
}

// task checks the path of a task.
func (p *parser) task(path string, column int) error {
	if _, ok := strategy.Key(path); ok {
		return nil
	}
	if len(path) > strategy.LongestPath {
		return p.wrong(column, fmt.Sprintf("the path of a task, of %d bytes", len(path)), fmt.Sprintf("at most %d", strategy.LongestPath))
	}
	return p.wrong(column, quote(path), `a task such as "main/0"`)
}

// fault reads what was done at a point.
func (p *parser) fault(e *Entry, what string, column int) error {
	verb, argument, _ := strings.Cut(what, " ")
	kind, ok := seam.ParseFault(verb)
	if !ok {
		return p.wrong(column, quote(verb), wanted(verb, seam.FaultNames()))
	}
	e.Kind = kind
	column += len(verb) + 1
	switch kind {
	case seam.Delay:
		d, err := time.ParseDuration(argument)
		if err != nil || d < 0 {
			return p.wrong(column, quote(argument), `a duration such as "10ms"`)
		}
		e.Value = uint64(d)
	case seam.Hold:
		until, limit, _ := strings.Cut(argument, " ")
		d, err := time.ParseDuration(limit)
		if until == "" || err != nil || d <= 0 {
			return p.wrong(column, quote(argument), `a point and a duration above 0, such as "queue/pushed 1s"`)
		}
		e.Until, e.Value = until, uint64(d)
	case seam.Roll:
		n, err := strconv.ParseUint(argument, 10, 64)
		if err != nil {
			return p.wrong(column, quote(argument), "the value that the counter took")
		}
		e.Value = n
	default:
		if argument != "" {
			return p.wrong(column, quote(argument), "nothing")
		}
	}
	return nil
}
