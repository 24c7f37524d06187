package stress

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

// What a file may be before it is parsed. The parser recurses, and a stack that
// overflows cannot be recovered from; its time grows with the square of the size.
const (
	maxFileSize = 256 << 10 // bytes
	maxDepth    = 1000      // brackets, those in texts included
	maxIndent   = 256       // columns, which bounds the nesting of blocks
)

// parseYAML parses the one document of a file. Every error is an *InputError.
func parseYAML(file string, data []byte) (root ast.Node, err error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // a byte order mark
	if err := checkText(file, data); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &InputError{File: file, Problem: fmt.Sprintf("not YAML: the parser gave up: %v", p)}
		}
	}()
	parsed, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxError(file, err)
	}
	var docs []*ast.DocumentNode
	for _, d := range parsed.Docs {
		if _, directive := d.Body.(*ast.DirectiveNode); !directive {
			docs = append(docs, d)
		}
	}
	if len(docs) > 1 {
		at := position(docs[1].Start)
		return nil, &InputError{file, at.Line, at.Column, "found a second YAML document, want one in a file"}
	}
	if len(docs) == 0 || docs[0].Body == nil {
		return nil, &InputError{File: file, Problem: "the file is empty"}
	}
	return docs[0].Body, nil
}

func syntaxError(file string, err error) error {
	var at yaml.Error
	if !errors.As(err, &at) {
		return &InputError{File: file, Problem: "not YAML: " + oneLine(err.Error())}
	}
	p := position(at.GetToken())
	return &InputError{file, p.Line, p.Column, "not YAML: " + oneLine(at.GetMessage())}
}

// position of a token; never nil.
func position(t *token.Token) *token.Position {
	if t == nil || t.Position == nil {
		return &token.Position{Line: 1, Column: 1}
	}
	return t.Position
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\t", `\t`)), " ")
}

// checkText refuses what the parser must not see.
func checkText(file string, data []byte) error {
	if len(data) > maxFileSize {
		return &InputError{File: file, Problem: fmt.Sprintf("the file has %d bytes, want at most %d", len(data), maxFileSize)}
	}
	line, column, depth, indent, leading := 1, 1, 0, 0, true
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
		}
		if leading = leading && (r == ' ' || r == '-' || r == '?' || r == '\t'); leading {
			indent++
		}
		if problem == "" && (depth > maxDepth || indent > maxIndent) {
			problem = "nested too deeply for a file of this kind"
		}
		if problem != "" {
			return &InputError{file, line, column, problem}
		}
		column++
		if r == '\n' {
			line, column, indent, leading = line+1, 1, 0, true
		}
		i += size
	}
	return nil
}
