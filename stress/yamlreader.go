package stress

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/rouse-go/rouse/internal/nearest"
)

// A reader turns a YAML tree into values and keeps the first error: after one,
// everything it returns is zero and nothing it is asked counts.
type reader struct {
	file    string
	err     *InputError
	anchors map[*ast.AliasNode]ast.Node
	// beneath are mappings that give what this one does not, nearest first; foreign are the tokens
	// from elsewhere that what stands at site has brought in.
	beneath map[ast.Node][]ast.Node
	foreign map[*token.Token]bool
	site    ast.Node
	// taken, if set, notes by what a mapping is which keys it may have.
	taken map[string][]string
}

func newReader(file string, root ast.Node) *reader {
	r := &reader{file: file, anchors: map[*ast.AliasNode]ast.Node{}, beneath: map[ast.Node][]ast.Node{}}
	r.bind(root, map[string]ast.Node{})
	return r
}

// bind finds for every alias the last anchor of its name that ends before it, so
// that no alias leads into itself.
func (r *reader) bind(n ast.Node, anchors map[string]ast.Node) {
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
			r.failAt(n.Start, "unknown anchor %q; %s", name, nearest.Hint(name, have))
			return
		}
		r.anchors[n] = anchors[name]
	}
}

// resolve strips anchors and follows aliases.
func (r *reader) resolve(n ast.Node) ast.Node {
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

func (r *reader) fail(at ast.Node, format string, args ...any) {
	r.failAt(startOf(at), format, args...)
}

func (r *reader) failAt(at *token.Token, format string, args ...any) {
	if r.err == nil {
		if r.site != nil && r.foreign[at] {
			at, format = startOf(r.site), "what comes from there does not fit: "+format
		}
		p := position(at)
		r.err = &InputError{r.file, p.Line, p.Column, fmt.Sprintf(format, args...)}
	}
}

// startOf is the token at which a person would say that the node begins.
func startOf(n ast.Node) *token.Token {
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

// found names what stands at n, for a message.
func found(n ast.Node) string {
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

// elements returns those of a sequence.
func (r *reader) elements(n ast.Node, what string) []ast.Node {
	seq, ok := r.resolve(n).(*ast.SequenceNode)
	if !ok {
		if r.err == nil {
			r.fail(n, "%s: found %s, want a list", what, found(r.resolve(n)))
		}
		return nil
	}
	return seq.Values
}

// text reads a scalar that is meant as text. Numbers must be quoted.
func (r *reader) text(n ast.Node, what string) string {
	switch v := r.resolve(n).(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return v.Value.Value
	default:
		r.fail(n, "%s: found %s, want text", what, found(v))
		return ""
	}
}

// number reads a whole number between low and high.
func (r *reader) number(n ast.Node, what string, low, high int64) int64 {
	want := fmt.Sprintf("want a whole number from %d to %d", low, high)
	switch {
	case low == math.MinInt64:
		want = "want a whole number of at most 64 bits"
	case high == math.MaxInt:
		want = fmt.Sprintf("want a whole number, %d or more", low)
	}
	v, ok := r.resolve(n).(*ast.IntegerNode)
	if !ok {
		r.fail(n, "%s: found %s, %s", what, found(r.resolve(n)), want)
		return 0
	}
	switch i := v.Value.(type) {
	case int64:
		if i >= low && i <= high {
			return i
		}
	case uint64:
		if i <= uint64(max(high, 0)) && (low <= 0 || i >= uint64(low)) {
			return int64(i)
		}
	}
	r.fail(n, "%s: found %s, %s", what, found(v), want)
	return 0
}

// unsigned reads a whole number of up to 64 bits.
func (r *reader) unsigned(n ast.Node, what string) uint64 {
	if v, ok := r.resolve(n).(*ast.IntegerNode); ok {
		switch i := v.Value.(type) {
		case uint64:
			return i
		case int64:
			if i >= 0 {
				return uint64(i)
			}
		}
	}
	r.fail(n, "%s: found %s, want a whole number, 0 or more, of at most 64 bits", what, found(r.resolve(n)))
	return 0
}

func (r *reader) bool(n ast.Node, what string) bool {
	v, ok := r.resolve(n).(*ast.BoolNode)
	if !ok {
		r.fail(n, "%s: found %s, want true or false", what, found(r.resolve(n)))
		return false
	}
	return v.Value
}

// fraction reads a probability: more than 0, at most 1.
func (r *reader) fraction(n ast.Node, what string) float64 {
	f := math.NaN()
	switch v := r.resolve(n).(type) {
	case *ast.FloatNode:
		f = v.Value
	case *ast.IntegerNode, *ast.StringNode: // 1e-3 is a string to the parser
		if p, err := strconv.ParseFloat(v.GetToken().Value, 64); err == nil {
			f = p
		}
	}
	if !(f > 0 && f <= 1) {
		r.fail(n, "%s: found %s, want a number above 0 and at most 1", what, found(r.resolve(n)))
		return 0
	}
	return f
}

const wantDuration = "want a duration such as 200us, 1.5ms or 1m"

func (r *reader) duration(n ast.Node, what string) time.Duration {
	v, ok := r.resolve(n).(*ast.StringNode)
	if !ok {
		r.fail(n, "%s: found %s, %s", what, found(r.resolve(n)), wantDuration)
		return 0
	}
	return r.parseDuration(n, v.Value, what)
}

func (r *reader) parseDuration(n ast.Node, text, what string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		r.fail(n, "%s: found the text %q, %s", what, nearest.Clip(text), wantDuration)
		return 0
	}
	if d < 0 {
		r.fail(n, "%s: found %s, want a duration that is not negative", what, nearest.Clip(text))
		return 0
	}
	return d
}

// durations reads a duration or a range of two, "50us..2ms".
func (r *reader) durations(n ast.Node, what string) (low, high time.Duration) {
	v, ok := r.resolve(n).(*ast.StringNode)
	if !ok {
		r.fail(n, "%s: found %s, want a duration such as 1ms or a range such as 50us..2ms", what, found(r.resolve(n)))
		return 0, 0
	}
	from, to, isRange := strings.Cut(v.Value, "..")
	low = r.parseDuration(n, strings.TrimSpace(from), what)
	high = low
	if isRange {
		high = r.parseDuration(n, strings.TrimSpace(to), what)
	}
	if low > high {
		r.fail(n, "%s: found the range %s, want the smaller bound first: %s..%s", what, nearest.Clip(v.Value), strings.TrimSpace(to), strings.TrimSpace(from))
	}
	return low, high
}
