// Package rousecore lets a program use the engine below GOROOT, whose packages are internal. The test adds
// it to the overlay.
package rousecore

import (
	"internal/rouse/chaos/control"
	"internal/rouse/chaos/strategy"
	"internal/rouse/chaos/verdict"
	"internal/rouse/group"
)

type (
	Engine   = control.Engine
	Options  = control.Options
	Result   = control.Result
	Schedule = strategy.Schedule
	Verdict  = verdict.Verdict
)

const (
	Lazy  = control.Lazy
	Racy  = control.Racy
	Mixed = control.Mixed
)

// Parse returns the strategy of that name.
var Parse = strategy.Parse

// New returns an engine whose tasks are goroutines of the runtime.
func New(o Options) (*Engine, error) {
	o.Runtime = group.New(0)
	return control.New(o)
}
