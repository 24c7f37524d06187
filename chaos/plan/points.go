package plan

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// A Point describes a hook point of this binary.
type Point struct {
	Name   string // "package/what"
	Window string // one line: what is pending while a goroutine is there
	Offers hooks.FaultKind
	// Operation: the point is at an operation of a drop-in, which an engine knows of without the
	// point.
	Operation bool
}

// Points lists the hook points of this binary, by name: those of every package
// linked into it. Without the build tag chaos there are none.
func Points() []Point {
	var points []Point
	for _, p := range seam.Points() {
		points = append(points, Point{Name: p.Name, Window: p.Window, Offers: p.Offers, Operation: p.Operation})
	}
	return points
}

// Kinds lists all kinds of fault.
func Kinds() []hooks.FaultKind {
	return seam.Faults.Kinds()
}
