package recording

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// A field is a line of a recording, or a line and the block of lines below it.
type field struct {
	name   string
	kinds  []Kind // that have it; nil means all
	needed bool
	block  bool
	write  func(r *Recording) string // "" leaves the field out, unless it is needed
	// read reads the value of a line. It reads the lines of a block itself.
	read func(p *parser, r *Recording, value string) error
}

// fields are all fields except the kind, in the order in which they are written.
var fields = []field{
	text("subject", func(r *Recording) *string { return &r.Subject }).need(),
	block("setup", func(r *Recording) *string { return &r.Setup }),
	{name: "build", write: func(r *Recording) string { return r.Build }, read: readBuild},
	text("strategy", func(r *Recording) *string { return &r.Strategy }),
	number("campaign", func(r *Recording) *uint64 { return &r.Campaign }).of(Native).need(),
	number("seed", func(r *Recording) *uint64 { return &r.Seed }).need(),
	count("execution", func(r *Recording) *int { return &r.Execution }),
	{
		name: "start", kinds: []Kind{Unmodified}, needed: true,
		write: func(r *Recording) string { return time.Unix(0, r.Start).UTC().Format(time.RFC3339Nano) },
		read:  readStart,
	},
	{
		name: "clock", kinds: []Kind{Unmodified}, needed: true,
		write: func(r *Recording) string { return r.Clock },
		read:  readClock,
	},
	count("maxprocs", func(r *Recording) *int { return &r.MaxProcs }).of(Native).need(),
	{
		name:  "options",
		write: func(r *Recording) string { return strings.Join(r.Options, " ") },
		read:  func(_ *parser, r *Recording, value string) error { r.Options = strings.Fields(value); return nil },
	},
	{name: "verdict", needed: true, write: func(r *Recording) string { return string(r.Verdict) }, read: readVerdict},
	text("summary", func(r *Recording) *string { return &r.Summary }),
	text("site", func(r *Recording) *string { return &r.Site }),
	{
		name: "explanation", kinds: []Kind{Native}, block: true,
		write: func(r *Recording) string { return strings.Join(r.Explanation, "\n") },
		read: func(p *parser, r *Recording, _ string) error {
			for p.nextInBlock() {
				r.Explanation = append(r.Explanation, p.line)
			}
			return nil
		},
	},
	{name: "faults", kinds: []Kind{Native}, block: true, write: writeFaults, read: readFaults},
	block("state", func(r *Recording) *string { return &r.State }).of(Native),
	block("events", func(r *Recording) *string { return &r.Events }).of(Native),
	block("goroutines", func(r *Recording) *string { return &r.Goroutines }).of(Native),
	{
		name: "hash", kinds: scheduled, needed: true,
		write: func(r *Recording) string { return fmt.Sprintf("%016x", r.Hash) },
		read: func(p *parser, r *Recording, value string) (err error) {
			r.Hash, err = p.number(value, 16, "", 64)
			return err
		},
	},
	schedule("found", func(r *Recording) *[]Entry { return &r.Found }),
	schedule("schedule", func(r *Recording) *[]Entry { return &r.Entries }).need(),
}

// scheduled are the kinds that have a schedule.
var scheduled = slices.DeleteFunc(Kinds(), func(k Kind) bool { return !k.Scheduled() })

func (f field) need() field     { f.needed = true; return f }
func (f field) of(k Kind) field { f.kinds = []Kind{k}; return f }

// isOf reports whether recordings of that kind have the field.
func (f field) isOf(k Kind) bool { return f.kinds == nil || slices.Contains(f.kinds, k) }

func text(name string, at func(r *Recording) *string) field {
	return field{
		name:  name,
		write: func(r *Recording) string { return *at(r) },
		read:  func(_ *parser, r *Recording, value string) error { *at(r) = value; return nil },
	}
}

func block(name string, at func(r *Recording) *string) field {
	return field{
		name: name, block: true,
		write: func(r *Recording) string { return *at(r) },
		read: func(p *parser, r *Recording, _ string) error {
			var lines []string
			for p.nextInBlock() {
				lines = append(lines, p.line)
			}
			*at(r) = strings.Join(lines, "\n")
			return nil
		},
	}
}

func number(name string, at func(r *Recording) *uint64) field {
	return field{
		name:  name,
		write: func(r *Recording) string { return fmt.Sprintf("%#x", *at(r)) },
		read: func(p *parser, r *Recording, value string) (err error) {
			*at(r), err = p.number(value, 16, "0x", 64)
			return err
		},
	}
}

func count(name string, at func(r *Recording) *int) field {
	return field{
		name:  name,
		write: func(r *Recording) string { return strconv.Itoa(*at(r)) },
		read: func(p *parser, r *Recording, value string) error {
			n, err := p.number(value, 10, "", 31)
			*at(r) = int(n)
			return err
		},
	}
}

func readBuild(p *parser, r *Recording, value string) error {
	r.Build = value
	if at, found, want := checkBuild(value); found != "" {
		return p.wrong(p.column+at, found, want)
	}
	return nil
}

func readVerdict(p *parser, r *Recording, value string) error {
	r.Verdict = verdict.Verdict(value)
	var names []string
	for _, v := range verdict.All() {
		names = append(names, string(v))
	}
	switch {
	case !slices.Contains(names, value):
		return p.wrong(p.column, quote(value), wanted(value, names))
	case r.Verdict == verdict.Pass && r.Kind == Native:
		return p.wrong(p.column, "pass", "what the execution failed with")
	}
	return nil
}

// readStart reads a time that fits into nanoseconds since 1970.
func readStart(p *parser, r *Recording, value string) error {
	t, err := time.Parse(time.RFC3339Nano, value)
	if r.Start = t.UnixNano(); err != nil || !time.Unix(0, r.Start).Equal(t) {
		return p.wrong(p.column, quote(value), "a time such as 2026-11-22T17:35:00.000000001Z")
	}
	return nil
}

var validClock = regexp.MustCompile(`^[a-z]+$`)

// readClock reads the name of a clock. Package control has the list.
func readClock(p *parser, r *Recording, value string) error {
	if r.Clock = value; !validClock.MatchString(value) {
		return p.wrong(p.column, quote(value), "the name of a clock such as lazy")
	}
	return nil
}

// wanted returns the nearest of the names, or all of them.
func wanted(found string, names []string) string {
	if near := nearest.Name(found, names); near != "" {
		return strconv.Quote(near)
	}
	return "one of " + strings.Join(names, ", ")
}

func writeFaults(r *Recording) string {
	var lines []string
	for _, f := range r.Faults {
		lines = append(lines, fmt.Sprintf("%s %s: %d hits, %d fires, %d expired", f.At, f.Kind, f.Hits, f.Fires, f.Expired))
	}
	return strings.Join(lines, "\n")
}

var faultLine = regexp.MustCompile(`^(\S+) (\S+): (\d{1,19}) hits, (\d{1,19}) fires, (\d{1,19}) expired$`)

func readFaults(p *parser, r *Recording, _ string) error {
	for p.nextInBlock() {
		m := faultLine.FindStringSubmatch(p.line)
		if m == nil {
			return p.wrong(1, quote(p.line), `a fault such as "queue/notify drop: 9 hits, 1 fires, 0 expired"`)
		}
		if _, ok := seam.ParseFault(m[2]); !ok {
			return p.wrong(len(m[1])+2, quote(m[2]), wanted(m[2], seam.FaultNames()))
		}
		f := FaultCount{At: m[1], Kind: m[2]}
		for i, n := range []*uint64{&f.Hits, &f.Fires, &f.Expired} {
			*n, _ = strconv.ParseUint(m[3+i], 10, 64) // 19 digits fit
		}
		r.Faults = append(r.Faults, f)
	}
	return nil
}

// schedule returns a field for a block of entries.
func schedule(name string, at func(r *Recording) *[]Entry) field {
	return field{
		name: name, kinds: scheduled, block: true,
		write: func(r *Recording) string { return writeSchedule(*at(r)) },
		read: func(p *parser, r *Recording, _ string) (err error) {
			*at(r), err = p.schedule()
			return err
		},
	}
}

func writeSchedule(entries []Entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.String())
		if e.Comment != "" {
			b.WriteString(" # " + oneLine(e.Comment))
		}
	}
	return b.String()
}

// schedule reads the entries of a block.
func (p *parser) schedule() (entries []Entry, err error) {
	for p.nextInBlock() {
		if strings.TrimSpace(p.line) == "" {
			continue
		}
		e, err := p.entry(p.line)
		if err != nil {
			return nil, err
		}
		if len(entries) == MostEntries {
			return nil, p.wrong(1, "one more entry", fmt.Sprintf("at most %d", MostEntries))
		}
		if entries == nil {
			entries = make([]Entry, 0, 1+strings.Count(p.rest, "\n"))
		}
		entries = append(entries, e)
	}
	return entries, nil
}
