package recording

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/nearest"
)

// An Error describes a problem in a recording, and where it is.
type Error struct {
	File         string
	Line, Column int // from 1; a column counts bytes
	Found, Want  string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: found %s, want %s", e.File, e.Line, e.Column, e.Found, e.Want)
}

// Bounds of a recording. An execution takes a million decisions by default until it is cut
// (control.Options.MaxSteps); a shrunk schedule has a few.
const (
	mostBytes = 64 << 20
	// MostEntries is how many entries a recording may have.
	MostEntries = 1 << 20
	mostLines   = MostEntries + 256<<10 // with the setup and the dumps
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

// Parse reads a recording from text, in linear time; name is for messages. A recording has at most
// 1,048,576 entries. Lines may end in CR LF.
func Parse(name, text string) (*Recording, error) {
	p := &parser{file: name, rest: strings.ReplaceAll(text, "\r\n", "\n")}
	if err := p.frame(); err != nil {
		return nil, err
	}
	r := new(Recording)
	if err := p.kind(r); err != nil {
		return nil, err
	}
	if err := p.fields(r); err != nil {
		return nil, err
	}
	return r, nil
}

type parser struct {
	file   string
	line   string // the current one, without its end
	lineNo int    // its number, from 1
	indent int    // what was taken from its beginning
	column int    // of the value of a field
	rest   string // what follows it
}

// next advances to the next line. It returns false if there is none.
func (p *parser) next() bool {
	if p.rest == "" {
		return false
	}
	p.line, p.rest, _ = strings.Cut(p.rest, "\n")
	p.lineNo, p.indent = p.lineNo+1, 0
	return true
}

// nextInBlock advances to the next line, and takes its indentation from it. It returns false if the
// next line is not of the block.
func (p *parser) nextInBlock() bool {
	if !strings.HasPrefix(p.rest, indent) && !strings.HasPrefix(p.rest, "\n") {
		return false
	}
	p.next()
	p.line = strings.TrimPrefix(p.line, indent)
	p.indent = len(indent)
	return true
}

func (p *parser) wrong(column int, found, want string) error {
	return &Error{p.file, max(p.lineNo, 1), p.indent + column, found, want}
}

func quote(s string) string {
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return strconv.Quote(s)
}

// frame reads the first line, and checks and cuts off the last one.
func (p *parser) frame() error {
	text := p.rest
	p.next()
	number, ok := strings.CutPrefix(p.line, title)
	switch {
	case strings.HasPrefix(p.line, "rouse schedule "):
		return p.wrong(1, quote(p.line), fmt.Sprintf("\"%s%d\": the format has changed; record the execution again", title, version))
	case text == "":
		return p.wrong(1, "an empty file", fmt.Sprintf("\"%s%d\"", title, version))
	case !ok:
		return p.wrong(1, quote(p.line), fmt.Sprintf("\"%s%d\": this is no recording", title, version))
	case number != strconv.Itoa(version):
		return p.wrong(len(title)+1, "version "+quote(number), fmt.Sprintf("version %d: the format has changed; record the execution again", version))
	}
	if lines := strings.Count(text, "\n"); lines > mostLines {
		p.lineNo = mostLines + 1
		return p.wrong(1, fmt.Sprintf("%d lines", lines), fmt.Sprintf("at most %d", mostLines))
	}
	first := p.lineNo
	at := strings.Index(text, "\n"+end) + 1 // lines of a block are indented
	last, more, whole := strings.Cut(text[at:], "\n")
	p.lineNo = 1 + strings.Count(text[:at], "\n")
	switch {
	case at == 0:
		p.lineNo = 1 + strings.Count(text, "\n")
		return p.wrong(len(text)-strings.LastIndex(text, "\n"), "the end of the file", fmt.Sprintf("a last line %q and a checksum: this recording is torn", end))
	case !whole:
		return p.wrong(len(last)+1, "the end of the file", "a complete last line: this recording is torn")
	case more != "":
		p.lineNo++
		return p.wrong(1, "more text", "the end of the file after the last line of the recording")
	case last != end && last+"\n" != endLine(text[:at]):
		return p.wrong(1, "a checksum that is not that of the text", fmt.Sprintf("the recording as it was written, or the last line %q after an edit by hand", end))
	}
	p.rest, p.lineNo = text[strings.Index(text, "\n")+1:at], first
	return nil
}

// kind reads the second line.
func (p *parser) kind(r *Recording) error {
	p.next()
	value, ok := strings.CutPrefix(p.line, kindLine)
	if !ok {
		return p.wrong(1, quote(p.line), strconv.Quote(kindLine))
	}
	if r.Kind = Kind(value); !slices.Contains(Kinds(), r.Kind) {
		return p.wrong(len(kindLine)+1, quote(value), fmt.Sprintf("%q, %q or %q", Controlled, Native, Unmodified))
	}
	return nil
}

// fields reads the lines between.
func (p *parser) fields(r *Recording) error {
	var mine []field
	var names []string
	for _, f := range fields {
		if f.isOf(r.Kind) {
			mine, names = append(mine, f), append(names, f.name)
		}
	}
	seen := make(map[string]bool)
	for p.next() {
		name, value, ok := strings.Cut(p.line, ":")
		i := slices.Index(names, name)
		if !ok || i < 0 {
			want := "one of " + strings.Join(names, ", ") + ", and a colon"
			if near := nearest.Name(name, names); near != "" {
				want = strconv.Quote(near + ":")
			}
			return p.wrong(1, quote(p.line), want)
		}
		if seen[name] {
			return p.wrong(1, "a second "+strconv.Quote(name), "one")
		}
		seen[name] = true
		value = strings.TrimPrefix(value, " ")
		if p.column = len(name) + 3; mine[i].block && value != "" {
			return p.wrong(p.column, quote(value), "nothing: its lines follow, indented by two spaces")
		}
		if err := mine[i].read(p, r, value); err != nil {
			return err
		}
	}
	p.lineNo, p.indent = p.lineNo+1, 0
	for _, f := range mine {
		if f.needed && !seen[f.name] {
			return p.wrong(1, "no "+strconv.Quote(f.name+":")+" in "+r.Kind.phrase()+" recording", "one")
		}
	}
	return nil
}

// number reads the value of a field.
func (p *parser) number(value string, base int, prefix string, bits int) (uint64, error) {
	digits, ok := strings.CutPrefix(value, prefix)
	n, err := strconv.ParseUint(digits, base, bits)
	if !ok || err != nil {
		return 0, p.wrong(p.column, quote(value), "a number such as "+prefix+strconv.FormatUint(417, base))
	}
	return n, nil
}
