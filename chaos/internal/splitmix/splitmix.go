package splitmix

import (
	"math"
	"math/bits"
	"time"
)

// Mix folds k into h: splitmix64's increment and finaliser (Steele, Lea, Flood,
// OOPSLA 2014; the finaliser is Stafford's variant 13). For each k it is a
// bijection of h, so that a chain of them loses nothing on the way.
//
//go:norace
func Mix(h, k uint64) uint64 {
	h = (h + 0x9e3779b97f4a7c15) ^ k
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Threshold converts a probability to the bound that the upper 53 bits of a draw must be
// below; 0 means 1.
func Threshold(probability float64) uint64 {
	if probability == 0 {
		probability = 1
	}
	return uint64(math.Ceil(probability * (1 << 53)))
}

// Between returns a duration from lo to hi, both included, uniformly. It takes its
// bits from a draw and a salt that sets it apart from the other decisions of that draw.
//
//go:norace
func Between(draw, salt uint64, lo, hi time.Duration) time.Duration {
	// The high word of the product of a 64-bit fraction and the width; the bias
	// is below width/2^64.
	n, _ := bits.Mul64(Mix(draw, salt), uint64(hi-lo)+1)
	return lo + time.Duration(n)
}
