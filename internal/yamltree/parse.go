package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a text, checked before it is parsed. The parser recurses, and a stack overflow cannot be recovered
// from. Its time grows with the square of the number of documents and of the keys of a mapping, each of which
// needs a line or a comma; and with the size of a literal or folded block times the number of empty lines at its end.
const (
	maxSize   = 256 << 10 // bytes
	maxLines  = 10_000
	maxEmpty  = 100    // lines in a row with only blanks
	maxCommas = 30_000 // including those in texts
	maxDepth  = 1000   // brackets, including those in texts
	maxIndent = 256    // columns, which bounds the nesting of blocks
)

// A Source is a text to read.
type Source struct {
	File string // the name, for messages
	Text []byte
	// Place, if set, maps a position in Text to one in the user's text from which
	// Text was made.
	Place func(line, column int) (int, int)
}

func (s *Source) errorAt(line, column int, problem string) *Error {
	if s.Place != nil && line > 0 {
		line, column = s.Place(line, column)
	}
	return &Error{s.File, line, column, problem}
}

// position returns the position of a token in the user's text, or the first position for nil.
func (s *Source) position(t *token.Token) (line, column int) {
	line, column = 1, 1
	if t != nil && t.Position != nil {
		line, column = t.Position.Line, t.Position.Column
	}
	if s.Place != nil {
		line, column = s.Place(line, column)
	}
	return line, column
}

// Read parses the one document of a text. Every error is an *Error.
func Read(s Source) (*Reader, Node, error) {
	if err := check(s.File, s.Text); err != nil {
		return nil, nil, s.placed(err)
	}
	s.Text = bytes.TrimPrefix(s.Text, byteOrderMark)
	root, err := s.parse()
	if err != nil {
		return nil, nil, err
	}
	r := &Reader{source: s, anchors: map[*ast.AliasNode]Node{}}
	r.bind(root, map[string]Node{})
	return r, root, nil
}

func (s *Source) parse() (root Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, s.errorAt(0, 0, fmt.Sprintf("not YAML: the parser gave up: %v", p))
		}
	}()
	parsed, err := parser.ParseBytes(s.Text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, s.syntaxError(err)
	}
	var docs []*ast.DocumentNode
	for _, d := range parsed.Docs {
		if _, directive := d.Body.(*ast.DirectiveNode); !directive {
			docs = append(docs, d)
		}
	}
	if len(docs) > 1 {
		line, column := s.position(docs[1].Start)
		return nil, &Error{s.File, line, column, "found a second YAML document, want one in a file"}
	}
	if len(docs) == 0 || docs[0].Body == nil {
		return nil, s.errorAt(0, 0, "the file is empty")
	}
	return docs[0].Body, nil
}

func (s *Source) syntaxError(err error) error {
	var at yaml.Error
	if !errors.As(err, &at) {
		return s.errorAt(0, 0, "not YAML: "+oneLine(err.Error()))
	}
	line, column := s.position(at.GetToken())
	return &Error{s.File, line, column, "not YAML: " + oneLine(at.GetMessage())}
}

// placed maps the place of an error in Text to the user's text.
func (s *Source) placed(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Line > 0 && s.Place != nil {
		e.Line, e.Column = s.Place(e.Line, e.Column)
	}
	return err
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\t", `\t`)), " ")
}

var byteOrderMark = []byte("\uFEFF")

// check returns an *Error, with a place in data, for a text that the parser must not see, or nil.
func check(file string, data []byte) error {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if len(data) > maxSize {
		return &Error{File: file, Problem: fmt.Sprintf("the file has %d bytes, want at most %d", len(data), maxSize)}
	}
	line, column, depth, indent, leading := 1, 1, 0, 0, true
	commas, empty, blank := 0, 0, true // empty counts lines before this one, and so far this one
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		problem := ""
		switch {
		case r == utf8.RuneError && size == 1:
			problem = fmt.Sprintf("found the byte 0x%02x, want UTF-8 text", data[i])
		case r == '\uFEFF' || r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f:
			problem = fmt.Sprintf("found the character %U, want printable text", r)
		case r == '[' || r == '{':
			depth++
		case (r == ']' || r == '}') && depth > 0:
			depth--
		case r == ',':
			commas++
		}
		if leading = leading && (r == ' ' || r == '-' || r == '?' || r == '\t'); leading {
			indent++
		}
		ends := r == '\n' || r == '\r' && !bytes.HasPrefix(data[i+1:], []byte("\n"))
		if blank = blank && (ends || r == ' ' || r == '\t' || r == '\r'); ends && blank {
			empty++
		} else if !blank {
			empty = 0
		}
		switch {
		case problem != "":
		case depth > maxDepth || indent > maxIndent:
			problem = "nested too deeply for a file of this kind"
		case empty > maxEmpty:
			problem = fmt.Sprintf("found more than %d empty lines in a row", maxEmpty)
		case commas > maxCommas:
			problem = fmt.Sprintf("found more than %d commas", maxCommas)
		case line > maxLines:
			problem = fmt.Sprintf("found more than %d lines", maxLines)
		}
		if problem != "" {
			return &Error{file, line, column, problem}
		}
		column++
		if ends {
			line, column, indent, leading, blank = line+1, 1, 0, true, true
		}
		i += size
	}
	return nil
}
