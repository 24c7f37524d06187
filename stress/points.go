package stress

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// A PointInfo describes a hook point of this binary.
type PointInfo struct {
	Name   string
	Window string // one line: what stands open while a goroutine is there
	Offers hooks.Fault
}

// Points lists the hook points of this binary, by name. Without the chaos tag
// there are none.
func Points() []PointInfo {
	var points []PointInfo
	for _, p := range seam.Points() {
		points = append(points, PointInfo{Name: p.Name, Window: p.Window, Offers: p.Offers})
	}
	return points
}
