package recording

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Repetition describes how an attempt to repeat a recording ended.
type Repetition struct {
	Verdict verdict.Verdict
	Site    string // as Recording.Site
	Hash    uint64
	Unused  int // entries that did not apply
}

// A Likeness says how a repetition compares with what was recorded.
type Likeness int

// What a repetition can be.
const (
	// NotReproduced: it passes, or fails otherwise.
	NotReproduced Likeness = iota
	// SameFailure: all entries applied, and led to the recorded verdict at the recorded
	// site, by another trace. Native executions have no trace.
	SameFailure
	// Exact: the trace is the recorded one, too.
	Exact
)

// Compare compares a repetition with the recording, and returns what differs; "" if nothing does
// that the recording has.
func (r *Recording) Compare(p Repetition) (Likeness, string) {
	var differs []string
	add := func(format string, args ...any) { differs = append(differs, fmt.Sprintf(format, args...)) }
	switch {
	case p.Verdict == verdict.Pass:
		add("the execution passes")
	case p.Verdict != r.Verdict:
		add("the verdict is %s", p.Verdict)
	case r.Site != "" && p.Site != "" && shape(r.Site) != shape(p.Site):
		add("it fails at another site: %s, recorded: %s", p.Site, r.Site)
	}
	if p.Unused > 0 {
		add("%d of %d decisions do not apply", p.Unused, len(r.Entries))
	}
	switch {
	case len(differs) > 0:
		return NotReproduced, strings.Join(differs, "; ")
	case r.Kind == Native:
		return SameFailure, ""
	case p.Hash != r.Hash:
		return SameFailure, fmt.Sprintf("the trace hash is %016x, recorded: %016x", p.Hash, r.Hash)
	}
	return Exact, ""
}

var digits = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+|#`)

// mostOfShape is less than the length of any site that was shortened, in bytes.
const mostOfShape = 80

// shape returns a site as a recording has it, without its numbers: lines move, and addresses
// differ.
func shape(site string) string {
	text := digits.ReplaceAllString(oneLine(site), "0")
	if cut, is := strings.CutSuffix(text, "..."); is {
		return cut[:min(len(cut), mostOfShape)]
	}
	return text
}
