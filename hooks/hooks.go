package hooks

import "github.com/rouse-go/rouse/internal/seam"

// A FaultKind is a kind of fault, or a set of kinds, that a point offers.
type FaultKind = seam.Fault

// The kinds of fault, and the verbs that can carry them out.
const (
	Delays        = seam.Delay     // every verb: sleep for a while
	Yields        = seam.Yield     // every verb: let other goroutines run
	Drops         = seam.Drop      // Notify: do not send
	Duplicates    = seam.Duplicate // Notify: send twice
	Fails         = seam.Fail      // Fail: as if the CAS had lost, or the search had missed
	SpuriousWakes = seam.Spurious  // Fail: as if the wait had ended for no reason
	Rolls         = seam.Roll      // Value: perturb a counter, as if it had wrapped around
	Holds         = seam.Hold      // every verb: wait until another point is passed

	Disturbs = seam.Disturb // Delays, Yields and Holds: what every point can offer
)
