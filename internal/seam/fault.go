package seam

import (
	"math/bits"
	"strings"
)

// A Fault is one kind of disturbance, or a set of kinds: the faults that a hook
// point offers are the union of the constants below.
type Fault uint16

// The kinds of fault, with the effect of each at its point. Traces hash them, so a new one
// must come last.
const (
	Delay     Fault = 1 << iota // sleep for a while
	Yield                       // let other goroutines run
	Drop                        // do not send this notification
	Duplicate                   // send this notification twice
	Fail                        // pretend that the CAS lost, that the search missed
	Spurious                    // pretend that the wait ended for no reason
	Roll                        // perturb a counter, as if it had wrapped around
	Hold                        // wait until another point is passed

	faultEnd
)

// Faults is the set of all kinds.
const Faults = faultEnd - 1

// Disturb is the set of faults offered by every point that is only passed.
const Disturb = Delay | Yield | Hold

var faultNames = [...]string{"delay", "yield", "drop", "duplicate", "fail", "spurious", "roll", "hold"}

// Kinds returns the single faults in f, in the order of the constants.
func (f Fault) Kinds() []Fault {
	var kinds []Fault
	for k := Fault(1); k < faultEnd; k <<= 1 {
		if f&k != 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// String returns the glossary's name of the fault, or the names of the set
// joined by "|".
func (f Fault) String() string {
	if f == 0 {
		return "none"
	}
	var names []string
	for _, k := range f.Kinds() {
		names = append(names, faultNames[bits.TrailingZeros16(uint16(k))])
	}
	return strings.Join(names, "|")
}

// ParseFault returns the single fault of that name.
func ParseFault(name string) (Fault, bool) {
	for i, n := range faultNames {
		if n == name {
			return Fault(1) << i, true
		}
	}
	return 0, false
}

// FaultNames lists the names that ParseFault accepts, in declaration order.
func FaultNames() []string { return append([]string(nil), faultNames[:]...) }
