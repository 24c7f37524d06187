package scenario

import (
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// param reads the value of a parameter, and returns it as Encode writes it.
func (l *loader) param(n yamltree.Node, p subject.Param) string {
	switch p := p.(type) {
	case subject.Count:
		return l.count(n, p)
	case subject.Span:
		d := l.Duration(n, p.Name)
		if l.Err == nil && (d < p.Least() || d > p.Most) {
			l.Fail(n, "%s: found %s, want a duration from %s to %s", p.Name, nearest.Clip(l.Written(n)), subject.FormatSpan(p.Least()), subject.FormatSpan(p.Most))
		}
		return subject.FormatSpan(d)
	case subject.Choice:
		s := l.Text(n, p.Name)
		if l.Err == nil && !slices.Contains(p.Of, s) {
			l.Fail(n, "%s: unknown choice %q; %s", p.Name, nearest.Clip(s), nearest.Hint(s, p.Of))
		}
		return s
	case subject.Switch:
		return strconv.FormatBool(l.Bool(n, p.Name))
	case subject.Text:
		s := l.Written(n)
		if l.Err == nil && !p.Matches(s) {
			l.Fail(n, "%s: found %s, want %s", p.Name, l.Found(n), p.Want)
		}
		return s
	}
	panic("stress: a parameter of no known kind")
}

func (l *loader) count(n yamltree.Node, p subject.Count) string {
	if len(p.Of) == 0 {
		v := l.Number(n, p.Name, int64(p.Least()), int64(p.Most))
		if l.Err != nil && p.Why != "" && l.IsInteger(n) {
			l.Err.Problem += ": " + p.Why
		}
		return strconv.FormatInt(v, 10)
	}
	v := l.Number(n, p.Name, int64(p.Of[0]), int64(p.Of[len(p.Of)-1]))
	if l.Err == nil && !slices.Contains(p.Of, int(v)) {
		var all []string
		for _, of := range p.Of {
			all = append(all, strconv.Itoa(of))
		}
		l.Fail(n, "%s: found %d, want one of %s", p.Name, v, nearest.Enumerate(all))
	}
	return strconv.FormatInt(v, 10)
}

// bounds says what values a parameter has, for people.
func Bounds(p subject.Param) string {
	switch p := p.(type) {
	case subject.Count:
		if len(p.Of) > 0 {
			return strconv.Itoa(p.Of[0]) + " to " + strconv.Itoa(p.Of[len(p.Of)-1])
		}
		return strconv.Itoa(p.Least()) + " to " + strconv.Itoa(p.Most)
	case subject.Span:
		return subject.FormatSpan(p.Least()) + " to " + subject.FormatSpan(p.Most)
	case subject.Choice:
		return nearest.Enumerate(p.Of)
	case subject.Switch:
		return "true and false"
	case subject.Text:
		return p.Want
	}
	panic("stress: a parameter of no known kind")
}

// shortDuration is d in plain ASCII.
func shortDuration(d time.Duration) string { return subject.FormatSpan(d) }
