package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// maxElements is the maximum number of values of a List parameter.
const maxElements = 64

// params reads parameters, in the form that Encode writes.
func params(t *yamltree.Tree, of []subject.Param) map[string]string {
	if len(t.Fields) == 0 {
		return nil
	}
	values := map[string]string{}
	for _, p := range of {
		if value := t.Fields[subject.Label(p)]; value == nil {
			continue
		} else if subject.IsList(p) && len(value.Items) > 0 {
			var all []string
			for _, e := range value.Items {
				all = append(all, param(e, p))
			}
			values[subject.Label(p)] = "[" + strings.Join(all, ListSeparator) + "]"
		} else {
			values[subject.Label(p)] = param(value, p)
		}
	}
	return values
}

func param(t *yamltree.Tree, p subject.Param) string {
	switch p := p.(type) {
	case subject.Count:
		return strconv.FormatInt(t.Int(), 10)
	case subject.Span:
		d, err := time.ParseDuration(t.Text())
		if err != nil || d < p.Least() || d > p.Most {
			t.Fail("%s: found %s, want a duration from %s to %s", p.Name, nearest.Clip(t.Written()), subject.FormatSpan(p.Least()), subject.FormatSpan(p.Most))
		}
		return subject.FormatSpan(d)
	case subject.Text:
		if !p.Matches(t.Written()) {
			t.Fail("%s: found %s, want %s", p.Name, t.Found(), p.Want)
		}
		return t.Written()
	}
	return fmt.Sprint(t.Scalar) // a name, true or false
}

// Bounds describes the values of a parameter for people.
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
