package plan

import "fmt"

// A SyntaxError describes a problem in a plan's text. It fits on one line.
type SyntaxError struct {
	File         string
	Line, Column int    // from 1
	Problem      string // what was found, and what would be right
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// A Word is a key that a caller of Parse adds to those of a fault. Set gets its value, without
// quotation marks, and the index of the fault; once for each point if there are several. Its
// error, which says what was found and what would be right, gets the place in the text.
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
// That is YAML, with anchors, aliases and merge keys, or JSON. Without a seed, the list may
// be alone, and so may its only fault; in flow style it fits on one line:
//
//	{at: queue/pushed, fault: yield}
//	[{at: queue/pushed, fault: yield}, {at: queue/full, fault: yield}]
//	{seed: 7, plan: [{at: queue/pushed, fault: yield}]}
//
// The keys are at, fault, probability, count, task, from, every, for, shape, mean, until, by
// and to: see Fault. at may be a list, which means a fault at each point. Numbers that
// may be left out are above 0, a plan has at most 256 faults, and a delay or hold lasts at
// most 10s. As everywhere in YAML, a name that is a number or begins with a star is quoted.
//
// The error is a *SyntaxError about the first problem: of several in one fault, the one that
// comes first in the list of keys above. A binary built without the tag chaos has no hook
// points, and Parse reads no plan there.
func Parse(name, text string, more ...Word) (Plan, error) { return parse(name, text, more) }
