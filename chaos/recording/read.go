package recording

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// An Error says what is wrong with a recording, and where.
type Error struct {
	File         string
	Line, Column int // from 1; a column counts bytes
	Found, Want  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: found %s, want %s", e.File, e.Line, e.Column, e.Found, e.Want)
}

// What a recording has at most. A million decisions are what an execution takes by default until it is
// cut (control.Options.MaxSteps); a shrunk schedule has a few.
const (
	mostBytes   = 64 << 20
	mostEntries = 1 << 20
	mostLines   = mostEntries + 1000 // with those before the schedule, and blank ones
)

// Read reads a recording from a regular file of at most 64 MiB. Errors are of the operating system,
// or an *Error.
func Read(name string) (*Recording, error) {
	text, err := input.Read(name, mostBytes)
	var refused *input.Error
	if errors.As(err, &refused) {
		return nil, &Error{name, 1, 1, refused.Found, refused.Want}
	}
	if err != nil {
		return nil, err
	}
	return Parse(name, string(text))
}

// fields are the lines before the schedule, in their order.
var fields = []string{"subject", "setup", "build", "strategy", "seed", "execution", "options", "verdict", "summary", "site", "hash", "schedule"}

// needed are those that a recording cannot be without.
var needed = []string{"subject", "seed", "verdict", "hash", "schedule"}

// Parse reads a recording from text, in linear time; name is for messages. A recording has at most
// 1,048,576 entries.
func Parse(name, text string) (*Recording, error) {
	p := &parser{file: name, rest: text}
	if lines := strings.Count(text, "\n"); lines > mostLines {
		p.number = mostLines + 1
		return nil, p.wrong(1, fmt.Sprintf("%d lines", lines), fmt.Sprintf("at most %d", mostLines))
	}
	r := new(Recording)
	p.next()
	if err := p.head(); err != nil {
		return nil, err
	}
	if err := p.fields(r); err != nil {
		return nil, err
	}
	for p.next() {
		if strings.TrimSpace(p.line) == "" {
			continue
		}
		e, err := p.entry(p.line)
		if err != nil {
			return nil, err
		}
		if len(r.Entries) == mostEntries {
			return nil, p.wrong(1, "one more entry", fmt.Sprintf("at most %d", mostEntries))
		}
		if r.Entries == nil {
			r.Entries = make([]Entry, 0, 1+strings.Count(p.rest, "\n"))
		}
		r.Entries = append(r.Entries, e)
	}
	if !strings.HasSuffix(text, "\n") {
		return nil, p.wrong(len(p.line)+1, "the end of the file in the middle of a line", "a whole file; this one is torn")
	}
	return r, nil
}

// fields reads the lines before the schedule.
func (p *parser) fields(r *Recording) error {
	seen := make(map[string]bool)
	for !seen["schedule"] {
		if !p.next() {
			p.number++
			missing := slices.IndexFunc(needed, func(f string) bool { return !seen[f] })
			return p.wrong(1, "the end of the file", strconv.Quote(needed[missing]+":"))
		}
		field, value, ok := strings.Cut(p.line, ":")
		if !ok || !slices.Contains(fields, field) {
			want := "one of " + strings.Join(fields, ", ") + ", and a colon"
			if near := nearest.Name(field, fields); near != "" {
				want = strconv.Quote(near + ":")
			}
			return p.wrong(1, quote(p.line), want)
		}
		if seen[field] {
			return p.wrong(1, "a second "+strconv.Quote(field), "one")
		}
		seen[field] = true
		if err := p.field(r, field, strings.TrimPrefix(value, " ")); err != nil {
			return err
		}
	}
	for _, f := range needed {
		if !seen[f] {
			p.number++
			return p.wrong(1, "no "+strconv.Quote(f+":")+" before the schedule", "one")
		}
	}
	return nil
}

type parser struct {
	file   string
	line   string // the one that is read
	number int    // its own, from 1
	rest   string // what follows it
}

// next goes on to the next line, without its end. It returns false if there is none.
func (p *parser) next() bool {
	if p.rest == "" {
		return false
	}
	p.line, p.rest, _ = strings.Cut(p.rest, "\n")
	p.line = strings.TrimSuffix(p.line, "\r")
	p.number++
	return true
}

func (p *parser) wrong(column int, found, want string) error {
	return &Error{p.file, max(p.number, 1), column, found, want}
}

func quote(s string) string {
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return strconv.Quote(s)
}

// head reads the first line.
func (p *parser) head() error {
	version, ok := strings.CutPrefix(p.line, title)
	if !ok {
		return p.wrong(1, quote(p.line), fmt.Sprintf("\"%s%d\": this is no recording", title, Version))
	}
	if version != strconv.Itoa(Version) {
		return p.wrong(len(title)+1, "version "+quote(version), fmt.Sprintf("version %d, which is what this program reads", Version))
	}
	return nil
}

// field reads the value of one line.
func (p *parser) field(r *Recording, field, value string) error {
	column := len(field) + 3
	number := func(base int, prefix string) (uint64, error) {
		digits, ok := strings.CutPrefix(value, prefix)
		n, err := strconv.ParseUint(digits, base, 64)
		if !ok || err != nil {
			return 0, p.wrong(column, quote(value), "a number such as "+prefix+strconv.FormatUint(417, base))
		}
		return n, nil
	}
	var err error
	switch field {
	case "subject":
		r.Subject = value
	case "setup":
		r.Setup = value
	case "build":
		r.Build = value
	case "strategy":
		r.Strategy = value
	case "seed":
		r.Seed, err = number(16, "0x")
	case "execution":
		var n uint64
		n, err = number(10, "")
		r.Execution = int(n)
	case "options":
		r.Options = strings.Fields(value)
	case "verdict":
		r.Verdict = verdict.Verdict(value)
		if !slices.Contains(verdict.All(), r.Verdict) {
			var names []string
			for _, v := range verdict.All() {
				names = append(names, string(v))
			}
			want := "one of " + strings.Join(names, ", ")
			if near := nearest.Name(value, names); near != "" {
				want = strconv.Quote(near)
			}
			err = p.wrong(column, quote(value), want)
		}
	case "summary":
		r.Summary = value
	case "site":
		r.Site = value
	case "hash":
		r.Hash, err = number(16, "")
	case "schedule":
		if value != "" {
			err = p.wrong(column, quote(value), "nothing: the entries follow, a line each")
		}
	}
	return err
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
		want := "one of " + strings.Join(seam.FaultNames(), ", ")
		if near := nearest.Name(verb, seam.FaultNames()); near != "" {
			want = strconv.Quote(near)
		}
		return p.wrong(column, quote(verb), want)
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
