package yamltree

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Elements returns the elements of a list.
func (r *Reader) Elements(n Node, what string) []Node {
	seq, ok := r.resolve(n).(*ast.SequenceNode)
	if !ok {
		if r.Err == nil {
			r.Fail(n, "%s: found %s, want a list", what, r.Found(n))
		}
		return nil
	}
	return seq.Values
}

// Texts reads one text or a list of distinct ones, each with read.
func (r *Reader) Texts(n Node, what string, read func(Node) string) (all []string) {
	elements := []Node{n}
	if r.IsList(n) {
		if elements = r.Elements(n, what); len(elements) == 0 {
			r.Fail(n, "%s: the list is empty", what)
		}
	}
	for _, e := range elements {
		s := read(e)
		if slices.Contains(all, s) {
			r.Fail(e, "%s: found %s twice", what, nearest.Clip(s))
		}
		all = append(all, s)
	}
	return all
}

// IsList reports whether the node is a list.
func (r *Reader) IsList(n Node) bool { _, ok := r.resolve(n).(*ast.SequenceNode); return ok }

// Written returns a scalar as written, without quotation marks, or "" for other nodes.
func (r *Reader) Written(n Node) string {
	switch v := r.resolve(n).(type) {
	case nil, *ast.NullNode, *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.TagNode:
		return ""
	case *ast.LiteralNode:
		return v.Value.Value
	case *ast.StringNode:
		return v.Value
	default:
		return v.GetToken().Value
	}
}

// Text reads a text. Numbers must be quoted.
func (r *Reader) Text(n Node, what string) string {
	switch v := r.resolve(n).(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return v.Value.Value
	default:
		r.Fail(n, "%s: found %s, want text", what, found(v))
		return ""
	}
}

// Number reads a whole number between low and high.
func (r *Reader) Number(n Node, what string, low, high int64) int64 {
	want := fmt.Sprintf("want a whole number from %d to %d", low, high)
	switch {
	case low == math.MinInt64:
		want = "want a whole number of at most 64 bits"
	case high == math.MaxInt:
		want = fmt.Sprintf("want a whole number, %d or more", low)
	}
	v, ok := r.resolve(n).(*ast.IntegerNode)
	if !ok {
		r.Fail(n, "%s: found %s, %s", what, r.Found(n), want)
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
	r.Fail(n, "%s: found %s, %s", what, found(v), want)
	return 0
}

// Unsigned reads a whole number of up to 64 bits.
func (r *Reader) Unsigned(n Node, what string) uint64 {
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
	r.Fail(n, "%s: found %s, want a whole number, 0 or more, of at most 64 bits", what, r.Found(n))
	return 0
}

// Fraction reads a probability: more than 0, at most 1.
func (r *Reader) Fraction(n Node, what string) float64 {
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
		r.Fail(n, "%s: found %s, want a number above 0 and at most 1", what, r.Found(n))
		return 0
	}
	return f
}

const wantDuration = "want a duration such as 200us, 1.5ms or 1m"

// Duration reads a duration that is not negative.
func (r *Reader) Duration(n Node, what string) time.Duration {
	v, ok := r.resolve(n).(*ast.StringNode)
	if !ok {
		r.Fail(n, "%s: found %s, %s", what, r.Found(n), wantDuration)
		return 0
	}
	return r.parseDuration(n, v.Value, what)
}

func (r *Reader) parseDuration(n Node, text, what string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		r.Fail(n, "%s: found the text %q, %s", what, nearest.Clip(text), wantDuration)
		return 0
	}
	if d < 0 {
		r.Fail(n, "%s: found %s, want a duration that is not negative", what, nearest.Clip(text))
		return 0
	}
	return d
}

// Durations reads a duration or a range of two, "50us..2ms".
func (r *Reader) Durations(n Node, what string) (low, high time.Duration) {
	v, ok := r.resolve(n).(*ast.StringNode)
	if !ok {
		r.Fail(n, "%s: found %s, want a duration such as 1ms or a range such as 50us..2ms", what, r.Found(n))
		return 0, 0
	}
	from, to, isRange := strings.Cut(v.Value, "..")
	low = r.parseDuration(n, strings.TrimSpace(from), what)
	high = low
	if isRange {
		high = r.parseDuration(n, strings.TrimSpace(to), what)
	}
	if low > high {
		r.Fail(n, "%s: found the range %s, want the smaller bound first: %s..%s", what, nearest.Clip(v.Value), strings.TrimSpace(to), strings.TrimSpace(from))
	}
	return low, high
}
