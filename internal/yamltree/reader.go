package yamltree

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/rouse-go/rouse/internal/nearest"
)

// An Error is a mistake in a text. Its message is one line.
type Error struct {
	File string
	// Line and Column count from 1, the column in characters; both are 0 if the error has no place.
	Line, Column int
	// Problem is what was found and what is wanted.
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// A Node is a node of the YAML tree.
type Node = ast.Node

// A Reader converts a YAML tree to values and keeps the first error. After an error, the results of its
// methods are meaningless. It is not safe for concurrent use.
type Reader struct {
	// Err is the first error, nil if there is none.
	Err *Error

	source  Source
	anchors map[*ast.AliasNode]Node
}

// bind binds every alias to the last anchor of its name that ends before it, so that none leads into
// itself.
func (r *Reader) bind(n Node, anchors map[string]Node) {
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			r.bind(v, anchors)
		}
	case *ast.MappingValueNode:
		r.bind(n.Value, anchors)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			r.bind(v, anchors)
		}
	case *ast.AnchorNode:
		r.bind(n.Value, anchors)
		anchors[n.Name.GetToken().Value] = n.Value
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		if anchors[name] == nil {
			var have []string
			for k := range anchors {
				have = append(have, k)
			}
			slices.Sort(have)
			r.failAt(n.Start, "unknown anchor %q; %s", nearest.Clip(name), nearest.Hint(name, have))
			return
		}
		r.anchors[n] = anchors[name]
	}
}

// resolve strips anchors and follows aliases.
func (r *Reader) resolve(n Node) Node {
	for {
		switch v := n.(type) {
		case *ast.AnchorNode:
			n = v.Value
		case *ast.AliasNode:
			n = r.anchors[v]
		default:
			return n
		}
	}
}

// Fail records an error at a node.
func (r *Reader) Fail(at Node, format string, args ...any) {
	r.failAt(startOf(at), format, args...)
}

func (r *Reader) failAt(at *token.Token, format string, args ...any) {
	if r.Err == nil {
		line, column := r.source.position(at)
		r.Err = &Error{r.source.File, line, column, fmt.Sprintf(format, args...)}
	}
}

// Place returns where a node begins in the user's text.
func (r *Reader) Place(n Node) (line, column int) { return r.source.position(startOf(n)) }

// startOf returns the token where the node begins for a reader: for a block mapping its first key.
func startOf(n Node) *token.Token {
	switch n := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return n.Values[0].Key.GetToken()
		}
		return n.Start
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// Found describes a node for a message.
func (r *Reader) Found(n Node) string { return found(r.resolve(n)) }

func found(n Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return fmt.Sprintf("the text %q", nearest.Clip(n.Value))
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.TagNode:
		return fmt.Sprintf("the tag %s", nearest.Clip(n.GetToken().Value))
	}
	return nearest.Clip(n.GetToken().Value)
}
