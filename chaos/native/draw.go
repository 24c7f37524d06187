package native

import (
	"math"
	"math/bits"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// Every decision is a hash of the names of what is decided: seed, task, point,
// number of the visit, number of the fault. Rejected: a generator per task (one
// more visit at one point would shift all later draws at every other point) and
// a shared one (draws would depend on who came first, and it would need a lock).

// mix folds k into h: splitmix64's increment and finaliser (Steele, Lea, Flood,
// OOPSLA 2014; the finaliser is Stafford's variant 13). For each k it is a
// bijection of h, so that a chain of them loses nothing on the way.
//
//go:norace
func mix(h, k uint64) uint64 {
	h = (h + 0x9e3779b97f4a7c15) ^ k
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// draw returns the 64 random bits of one fault at one visit. stream is the
// task's: the seed mixed with its path.
//
//go:norace
func draw(stream uint64, p *seam.Point, visit uint64, index int) uint64 {
	return mix(mix(mix(stream, p.Key), visit), uint64(index))
}

// threshold turns a probability into what the upper 53 bits of a draw have to
// stay below; 0 stands for 1.
func threshold(probability float64) uint64 {
	if probability == 0 {
		probability = 1
	}
	return uint64(math.Ceil(probability * (1 << 53)))
}

// lengthSalt sets the draw of a delay's length apart from that of its firing.
const lengthSalt = 0x6c656e677468 // "length"

// between returns a duration from lo to hi, both included, uniformly.
//
//go:norace
func between(bitsDrawn uint64, lo, hi time.Duration) time.Duration {
	// The high word of the product of a 64-bit fraction and the width; the bias
	// is below width/2^64.
	n, _ := bits.Mul64(mix(bitsDrawn, lengthSalt), uint64(hi-lo)+1)
	return lo + time.Duration(n)
}
