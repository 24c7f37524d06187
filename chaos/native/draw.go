package native

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/internal/seam"
)

// Every decision is a hash of its coordinates: seed, task, point,
// number of the visit, number of the fault. Rejected: a generator per task (one
// more visit at one point would shift all later draws at every other point) and
// a shared one (draws would depend on timing, and it would need a lock).

// draw returns the 64 random bits of one fault at one visit. stream is the
// task's: the seed mixed with its path.
//
//go:norace
func draw(stream uint64, p *seam.Point, visit uint64, index int) uint64 {
	return splitmix.Mix(splitmix.Mix(splitmix.Mix(stream, p.Key), visit), uint64(index))
}

// lengthSalt sets the draw of a delay's length apart from that of its firing.
const lengthSalt = 0x6c656e677468 // "length"
