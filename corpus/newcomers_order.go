package corpus

import (
	"regexp"
	"strings"
)

// anyPlace matches a place in a text.
var anyPlace = regexp.MustCompile(`[\w.-]+\.go:\d+`)

// Named returns what an explanation says about the order: the line that begins with "fails", and of a data race the
// two accesses; "" if it says nothing.
func Named(explained string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(explained) {
		line = strings.TrimRight(line, "\n")
		switch text, is := strings.CutPrefix(line, "fails "); {
		case is:
			in = true
			b.WriteString(strings.TrimSpace(text))
		case in && strings.HasPrefix(line, "  "):
			b.WriteString(" " + strings.TrimSpace(line))
		default:
			in = false
		}
		if _, race, is := strings.Cut(line, "recorded as data-race: "); is {
			return race
		}
	}
	return b.String()
}

// Decides reports whether an explanation names one of the pairs that were written down before, in its order; of a data
// race in either order.
func (f *Failure) Decides(explained string) bool {
	separator := " comes before "
	if f.Race {
		separator = ", "
	}
	before, after, is := strings.Cut(Named(explained), separator)
	if !is {
		return false
	}
	first, second := placesIn(before), placesIn(after)
	for _, p := range f.Order {
		if count(p[:1], first) > 0 && count(p[1:], second) > 0 || f.Race && count(p[1:], first) > 0 && count(p[:1], second) > 0 {
			return true
		}
	}
	return false
}

func placesIn(text string) (all []Place) {
	for _, s := range anyPlace.FindAllString(text, -1) {
		if p, err := parsePlace(s); err == nil {
			all = append(all, p)
		}
	}
	return all
}
