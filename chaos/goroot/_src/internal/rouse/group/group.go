// Package group makes the groups of the runtime the mechanism of an engine: a control.Runtime.
package group

import (
	"runtime"

	"internal/rouse/chaos/control"
)

// A Group is a control.Runtime.
type Group struct{ *runtime.RouseGroup }

// New returns a group whose virtual time begins at start, in nanoseconds since 1970.
func New(start int64) Group { return Group{runtime.NewRouseGroup(start)} }

// Run runs one execution.
func (g Group) Run(s control.Scheduler, o control.Start) {
	g.RouseGroup.Run(s, o.Body, o.Seed, o.After, o.Asides, o.Traces)
}
