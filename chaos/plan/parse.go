package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// What a text may ask for, here and in a scenario file.
const (
	MaxFaults = 256              // of one plan
	MaxDelay  = 10 * time.Second // a longer one looks like a hang
)

// A SyntaxError says what is wrong with a plan's text. It fits on one line.
type SyntaxError struct {
	File         string
	Line, Column int    // from 1
	Problem      string // what was found, and what would be right
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// A Word is a key that a caller of Parse has beside those of the language: what
// follows it is given to Set, with the number of the fault it stands in. The error, which
// says what was found and what would be right, gets the place in the text.
type Word struct {
	Key string
	Set func(fault int, value string) error
}

// Parse reads a plan in the form that it has in scenario files, and checks it against
// this binary. The name is for messages.
//
//	seed: 7                                      # absent: 0
//	- {at: queue/pushed, fault: delay, for: 50us..2ms, probability: 0.1}
//	- {at: queue/notify, fault: drop, count: 1, task: "worker *"}
//	- at: queue/full                             # or on several lines
//	  fault: hold
//	  until: queue/taken
//
// Dashes and braces may be left out, and a semicolon begins the next fault, so that all
// fits in an environment variable: at: queue/pushed, fault: yield; at: queue/full,
// fault: yield. The keys are at, fault, probability, count, task, from, every, for, shape,
// mean, until, by and to: see Fault. Numbers that may be left out are above 0, a plan has at
// most 256 faults, and a delay or hold lasts at most 10s.
//
// What is wrong first is the error, a *SyntaxError. Without the build tag chaos every
// hook point is unknown.
func Parse(name, text string, more ...Word) (Plan, error) {
	p := parser{file: name, more: more}
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		p.line, p.text, p.at = i+1, line, 0
		p.parseLine()
		if p.err != nil {
			return Plan{}, p.err
		}
	}
	p.end()
	if p.err == nil && len(p.plan.Faults) == 0 {
		p.line, p.at = 1, 0
		p.fail(0, "found no fault, want at least one, such as at: package/what, fault: delay, for: 1ms")
	}
	if p.err != nil {
		return Plan{}, p.err
	}
	return p.plan, nil
}

// A place is where something stands in the text.
type place struct{ line, column int }

type parser struct {
	file string
	more []Word
	plan Plan
	err  error

	line int // from 1
	text string
	at   int // in text

	open   bool // a fault has begun
	fault  Fault
	begins place
	keys   map[string]place // of the fault
}

func (p *parser) fail(at int, format string, args ...any) {
	p.failAt(place{p.line, len([]rune(p.text[:at])) + 1}, format, args...)
}

func (p *parser) failAt(at place, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{p.file, at.line, at.column, fmt.Sprintf(format, args...)}
	}
}

// parseLine reads a line: marks, and keys with values.
func (p *parser) parseLine() {
	first := true // nothing but marks so far
	for p.err == nil {
		for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
			p.at++
		}
		if p.at == len(p.text) || p.text[p.at] == '#' {
			return
		}
		c := p.text[p.at]
		switch {
		case c == '-' && first && (p.at+1 == len(p.text) || p.text[p.at+1] == ' '), c == ';', c == '}', c == '{':
			p.end()
			p.at++
		case c == ',' || c == '[' || c == ']':
			p.at++
		default:
			if first && p.at == 0 { // what is not indented goes on with nothing
				p.end()
			}
			first = false
			p.pair()
		}
	}
}

// pair reads a key and its value.
func (p *parser) pair() {
	begin := p.at
	colon := strings.IndexByte(p.text[begin:], ':')
	if end := strings.IndexAny(p.text[begin:], ",;{}[]"); end >= 0 && end < colon {
		colon = -1
	}
	word, _, _ := strings.Cut(p.text[begin:], ";")
	word = strings.TrimRight(word, " \t")
	if colon >= 0 {
		word = strings.TrimSpace(p.text[begin : begin+colon])
	}
	key := strings.Trim(word, `"'`)
	if colon < 0 {
		p.fail(begin, "found %q, want a key and its value, such as fault: yield", nearest.Clip(key))
		return
	}
	p.at = begin + colon + 1
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	at := p.at
	value, ok := p.value()
	if !ok {
		return
	}
	switch {
	case !p.open && key == "plan" && value == "":
	case !p.open && key == "seed":
		seed, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			p.fail(at, "seed: found %q, want a number of at most 64 bits", nearest.Clip(value))
		}
		p.plan.Seed = seed
	default:
		p.set(key, value, begin, at)
	}
}

// value reads up to what ends a value; within quotes nothing does but the quote.
func (p *parser) value() (string, bool) {
	rest := p.text[p.at:]
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		end := strings.IndexByte(rest[1:], rest[0])
		if end < 0 {
			p.fail(p.at, "found a quotation mark without its other")
			return "", false
		}
		p.at += end + 2
		return rest[1 : end+1], true
	}
	end := strings.IndexAny(rest, ",;{}[]")
	if comment := strings.Index(rest, " #"); comment >= 0 && (end < 0 || comment < end) {
		end = comment
	}
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return strings.TrimSpace(rest[:end]), true
}

// Keys are those of a fault in the text form, in the order of its documentation.
func Keys() []string {
	return []string{"at", "fault", "probability", "count", "task", "from", "every", "for", "shape", "mean", "until", "by", "to"}
}

// set gives the fault a value.
func (p *parser) set(key, value string, keyAt, at int) {
	where := place{p.line, len([]rune(p.text[:at])) + 1}
	if !p.open {
		p.open, p.fault, p.keys = true, Fault{}, map[string]place{}
		p.begins = place{p.line, len([]rune(p.text[:keyAt])) + 1}
		if len(p.plan.Faults) == MaxFaults {
			p.fail(keyAt, "found more than %d faults, want at most so many", MaxFaults)
		}
	}
	if prior, ok := p.keys[key]; ok {
		p.fail(keyAt, "duplicate key %q in a fault; the first is at line %d, column %d", nearest.Clip(key), prior.line, prior.column)
		return
	}
	for _, w := range p.more {
		if w.Key == key {
			p.keys[key] = where
			if err := w.Set(len(p.plan.Faults), value); err != nil {
				p.failAt(where, "%s: %v", key, err)
			}
			return
		}
	}
	if problem := p.fault.set(key, value); problem != "" {
		if problem == unknownKey {
			have := Keys()
			for _, w := range p.more {
				have = append(have, w.Key)
			}
			p.fail(keyAt, "unknown key %q in a fault; %s", nearest.Clip(key), nearest.Hint(key, have))
			return
		}
		p.failAt(where, "%s", problem)
	}
	p.keys[key] = where
}

// end ends the fault that has begun, and checks it.
func (p *parser) end() {
	if !p.open || p.err != nil {
		return
	}
	p.open = false
	for _, key := range []string{"at", "fault"} {
		if _, ok := p.keys[key]; !ok {
			p.failAt(p.begins, "a fault lacks the key %q", key)
			return
		}
	}
	if problems := p.fault.check(); len(problems) > 0 {
		e := problems[0]
		where, ok := p.keys[e.Field]
		if !ok {
			where = p.keys["fault"]
		}
		p.failAt(where, "%s: found %s, want %s", e.Field, e.Found, e.Want)
		return
	}
	p.plan.Faults = append(p.plan.Faults, p.fault)
}

const unknownKey = "unknown key"

// set returns what is wrong with the value of a key, "" if nothing.
func (f *Fault) set(key, value string) (problem string) {
	wrong := func(want string) string {
		return fmt.Sprintf("%s: found %q, want %s", key, nearest.Clip(value), want)
	}
	count := func(to *int) string {
		n, err := strconv.ParseInt(value, 0, 32)
		if err != nil || n < 1 {
			return wrong(fmt.Sprintf("a whole number from 1 to %d", math.MaxInt32))
		}
		*to = int(n)
		return ""
	}
	switch key {
	case "at":
		f.At = value
	case "until":
		f.Until = value
	case "task":
		if f.Task = value; value == "" {
			return wrong("the name of a task; without the key it is any")
		}
	case "fault":
		kind, ok := seam.ParseFault(value)
		if !ok {
			return fmt.Sprintf("unknown fault %q; %s", nearest.Clip(value), nearest.Hint(value, seam.FaultNames()))
		}
		f.Kind = kind
	case "probability":
		p, err := strconv.ParseFloat(value, 64)
		if err != nil || !(p > 0 && p <= 1) {
			return wrong("a number above 0 and at most 1")
		}
		f.Probability = p
	case "count":
		return count(&f.Count)
	case "from":
		return count(&f.From)
	case "every":
		return count(&f.Every)
	case "for":
		return f.setFor(value, wrong)
	case "mean":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return wrong("a duration such as 200us")
		}
		f.Mean = d
	case "shape":
		shape, ok := ParseShape(value)
		if !ok {
			return fmt.Sprintf("unknown shape %q; %s", nearest.Clip(value), nearest.Hint(value, ShapeNames()))
		}
		f.Shape = shape
	case "by":
		by, err := strconv.ParseInt(value, 0, 64)
		if err != nil || by == 0 {
			return wrong("a whole number such as -2, not 0")
		}
		f.By = by
	case "to":
		to, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			return wrong("a whole number, 0 or more, of at most 64 bits")
		}
		f.To = &to
	default:
		return unknownKey
	}
	return ""
}

func (f *Fault) setFor(value string, wrong func(string) string) string {
	const want = "a duration such as 1ms or a range such as 50us..2ms, above 0 and at most 10s"
	from, to, isRange := strings.Cut(value, "..")
	if !isRange {
		to = from
	}
	low, err := time.ParseDuration(strings.TrimSpace(from))
	high, err2 := time.ParseDuration(strings.TrimSpace(to))
	switch {
	case err != nil || err2 != nil || low < 0 || high <= 0 || high > MaxDelay:
		return wrong(want)
	case low > high:
		return wrong(fmt.Sprintf("the smaller bound first: %v..%v", high, low))
	}
	f.Min, f.Max = low, high
	return ""
}

// String is the fault as Parse takes it, on one line and within braces.
func (f Fault) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "{at: %s, fault: %s", f.At, f.Kind)
	pair := func(set bool, key, value string) {
		if set {
			fmt.Fprintf(&b, ", %s: %s", key, value)
		}
	}
	length := func(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }
	switch {
	case f.Min != f.Max:
		pair(true, "for", length(f.Min)+".."+length(f.Max))
	default:
		pair(f.Max != 0, "for", length(f.Max))
	}
	pair(f.Shape != Uniform, "shape", f.Shape.String())
	pair(f.Mean != 0, "mean", length(f.Mean))
	pair(f.Until != "", "until", f.Until)
	pair(f.By != 0, "by", strconv.FormatInt(f.By, 10))
	if f.To != nil {
		pair(true, "to", strconv.FormatUint(*f.To, 10))
	}
	pair(f.Probability != 0, "probability", strconv.FormatFloat(f.Probability, 'f', -1, 64))
	pair(f.From != 0, "from", strconv.Itoa(f.From))
	pair(f.Every != 0, "every", strconv.Itoa(f.Every))
	pair(f.Count != 0, "count", strconv.Itoa(f.Count))
	quote := `"`
	if strings.Contains(f.Task, quote) {
		quote = "'"
	}
	pair(f.Task != "", "task", quote+f.Task+quote)
	return b.String() + "}"
}
