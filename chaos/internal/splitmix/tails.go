package splitmix

import (
	"math/bits"
	"time"
)

// Logarithms and powers are computed bit by bit with whole numbers. Package math's
// depend on the processor in their last bits, and a length reaches the hash of a trace.

// Exponential returns lo plus an exponentially distributed duration with the mean
// mean-lo, but hi if the sum would be longer. lo <= mean <= hi. It takes its bits as
// Between does.
//
//go:norace
func Exponential(draw, salt uint64, lo, mean, hi time.Duration) time.Duration {
	top, low := bits.Mul64(uint64(mean-lo), binaryLog(Mix(draw, salt)))
	if top>>32 != 0 {
		return hi
	}
	const ln2 = 0xb17217f7d1cf79ab // 64 bits of it
	added, _ := bits.Mul64(top<<32|low>>32, ln2)
	if added > uint64(hi-lo) {
		return hi
	}
	return lo + time.Duration(added)
}

// Pareto returns lo times a Pareto-distributed number with the scale 1 and such an
// exponent that the mean is mean, but hi if it would be longer. 0 < lo <= mean <= hi.
//
//go:norace
func Pareto(draw, salt uint64, lo, mean, hi time.Duration) time.Duration {
	inverse, _ := bits.Div64(uint64(mean-lo), 0, uint64(mean)) // of the exponent, 64 bits of it
	exponent, _ := bits.Mul64(binaryLog(Mix(draw, salt)), inverse)
	power, whole := uint64(1)<<63, exponent>>32 // the power of the fraction, 63 bits after the point
	for i, root := range roots {
		if exponent<<(32+i)>>63 != 0 {
			top, low := bits.Mul64(power, root)
			power = top<<1 | low>>63
		}
	}
	top, low := bits.Mul64(uint64(lo), power)
	if whole >= 63 || top>>(63-whole) != 0 {
		return hi
	}
	d := top<<(whole+1) | low>>(63-whole)
	return time.Duration(min(d, uint64(hi)))
}

// binaryLog returns -log2(x / 2^64), with 32 bits after the point: from 0 to 64.
//
//go:norace
func binaryLog(x uint64) uint64 {
	if x == 0 {
		return 64 << 32
	}
	zeros := bits.LeadingZeros64(x)
	x <<= zeros // from 1 to 2, 63 bits after the point
	fraction := uint64(0)
	for range 32 {
		top, low := bits.Mul64(x, x)
		fraction <<= 1
		if top>>63 != 0 {
			fraction |= 1
			x = top
		} else {
			x = top<<1 | low>>63
		}
	}
	return uint64(zeros+1)<<32 - fraction
}

// roots are 2^(1/2), 2^(1/4), and so on, 63 bits after the point.
var roots = [32]uint64{
	0xb504f333f9de6484, 0x9837f0518db8a96f, 0x8b95c1e3ea8bd6e6, 0x85aac367cc487b14,
	0x82cd8698ac2ba1d7, 0x8164d1f3bc030773, 0x80b1ed4fd999ab6c, 0x8058d7d2d5e5f6b0,
	0x802c6436d0e04f50, 0x8016302f17467628, 0x800b179c82028fd0, 0x80058baf7fee3b5d,
	0x8002c5d00fdcfcb6, 0x800162e61bed4a48, 0x8000b17292f702a3, 0x800058b92abbae02,
	0x80002c5c8dade4d7, 0x8000162e44eaf636, 0x80000b1721fa7c18, 0x8000058b90de7e4c,
	0x800002c5c8678f36, 0x80000162e431db9f, 0x800000b1721872d0, 0x80000058b90c1aa8,
	0x8000002c5c8605a4, 0x800000162e4300e6, 0x8000000b17217ff8, 0x800000058b90bfdd,
	0x80000002c5c85fe6, 0x8000000162e42ff1, 0x80000000b17217f8, 0x8000000058b90bfc,
}
