package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the fault as Parse and scenario files take it, on one line and within braces.
func (f Fault) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "{at: %s, fault: %s", f.At, f.Kind)
	pair := func(set bool, key, value string) {
		if set {
			fmt.Fprintf(&b, ", %s: %s", key, value)
		}
	}
	length := func(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }
	switch {
	case f.Min != f.Max:
		pair(true, "for", length(f.Min)+".."+length(f.Max))
	default:
		pair(f.Max != 0, "for", length(f.Max))
	}
	pair(f.Shape != Uniform, "shape", f.Shape.String())
	pair(f.Mean != 0, "mean", length(f.Mean))
	pair(f.Until != "", "until", f.Until)
	pair(f.By != 0, "by", strconv.FormatInt(f.By, 10))
	if f.To != nil {
		pair(true, "to", strconv.FormatUint(*f.To, 10))
	}
	pair(f.Probability != 0, "probability", strconv.FormatFloat(f.Probability, 'f', -1, 64))
	pair(f.From != 0, "from", strconv.Itoa(f.From))
	pair(f.Every != 0, "every", strconv.Itoa(f.Every))
	pair(f.Count != 0, "count", strconv.Itoa(f.Count))
	pair(f.Task != "", "task", strconv.Quote(strings.ToValidUTF8(f.Task, "\uFFFD"))) // Go's escapes are YAML's, double-quoted
	return b.String() + "}"
}
