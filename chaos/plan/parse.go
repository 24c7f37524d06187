package plan

import "fmt"

// A SyntaxError says what is wrong with a plan's text. It fits on one line.
type SyntaxError struct {
	File         string
	Line, Column int    // from 1
	Problem      string // what was found, and what would be right
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// A Word is a key that a caller of Parse has beside those of the language: what
// follows it, without quotation marks, is given to Set, with the number of the fault it stands
// in; of each, if the fault is at several points. The error, which says what was found and what
// would be right, gets the place in the text.
type Word struct {
	Key string
	Set func(fault int, value string) error
}

// Parse reads a plan in the form that it has in scenario files, and checks it against
// this binary. The name is for messages.
//
//	seed: 7                                      # absent: 0
//	plan:
//	  - {at: queue/pushed, fault: delay, for: 50us..2ms, probability: 0.1}
//	  - {at: [queue/notify, queue/full], fault: yield, task: "worker *"}
//	  - at: queue/full
//	    fault: hold
//	    until: queue/taken
//
// That is YAML, with anchors, aliases and merge keys, or JSON; the list may stand alone. The
// keys are at, fault, probability, count, task, from, every, for, shape, mean, until, by and
// to: see Fault; at may be a list, of a fault at each. Numbers that may be left out are above
// 0, a plan has at most 256 faults, and a delay or hold lasts at most 10s.
//
// A plan may be shorter, so that all fits in an environment variable: without plan:, dashes
// and braces may be left out where several keys stand on a line, and a semicolon begins the
// next fault, unless it stands within brackets or quotation marks.
//
//	seed: 7; at: queue/pushed, fault: yield; at: queue/full, fault: yield
//
// Each line that is indented no further than the first begins a fault there. As everywhere in
// YAML, a name that is a number or begins with a star must be quoted.
//
// What is wrong first is the error, a *SyntaxError: of several things in one fault, the one
// that comes first in the list of keys above. In a binary built without the tag chaos there
// is no hook point, so that no plan can be right, and none is read.
func Parse(name, text string, more ...Word) (Plan, error) { return parse(name, text, more) }
