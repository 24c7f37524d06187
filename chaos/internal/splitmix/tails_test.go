package splitmix

import (
	"math"
	"math/big"
	"testing"
	"time"
)

// Both are what the textbook says of the same draw, to a billionth.
func TestTailsAgreeWithTheTextbook(t *testing.T) {
	const lo, mean, hi = 1e6, 7e6, math.MaxInt64 / 2
	for i := range uint64(10_000) {
		u := (float64(Mix(i, 3)) + 0.5) / (1 << 64)
		for name, c := range map[string]struct {
			got  time.Duration
			want float64
		}{
			"exponential": {Exponential(i, 3, lo, mean, hi), lo - (mean-lo)*math.Log(u)},
			"pareto":      {Pareto(i, 3, lo, mean, hi), lo * math.Pow(u, -(mean-lo)/mean)},
		} {
			if math.Abs(float64(c.got)-c.want) > 2+c.want*1e-8 {
				t.Fatalf("%s: draw %d gives %d, want %.1f", name, i, c.got, c.want)
			}
		}
	}
}

// Bounds that a draw can reach, and bounds that would overflow.
func TestTailsStayWithinTheirBounds(t *testing.T) {
	for _, f := range []func(draw, salt uint64, lo, mean, hi time.Duration) time.Duration{Exponential, Pareto} {
		longest := time.Duration(0)
		for i := range uint64(10_000) {
			for _, b := range [][3]time.Duration{
				{10, 20, 50}, {1, math.MaxInt64 / 2, math.MaxInt64}, {1, math.MaxInt64, math.MaxInt64}, {1, 1, 1},
				{math.MaxInt64 - 1, math.MaxInt64, math.MaxInt64}, {1, 2, math.MaxInt64},
			} {
				d := f(i, 3, b[0], b[1], b[2])
				if d < b[0] || d > b[2] {
					t.Fatalf("draw %d gives %d, want between %d and %d", i, d, b[0], b[2])
				}
				if b[2] == 50 {
					longest = max(longest, d)
				}
			}
		}
		if longest != 50 {
			t.Errorf("the longest of many is %d: the tail is cut at 50 and begins at 10", longest)
		}
	}
	if d := Exponential(1, 1, 0, 0, 5); d != 0 {
		t.Errorf("nothing to add makes %d", d)
	}
}

func TestBinaryLog(t *testing.T) {
	for x, want := range map[uint64]uint64{0: 64 << 32, 1: 64 << 32, 2: 63 << 32, 1 << 63: 1 << 32} {
		if got := binaryLog(x); got != want {
			t.Errorf("binaryLog(%d) = %d, want %d", x, got, want)
		}
	}
	if got := binaryLog(math.MaxUint64); got != 1 {
		t.Errorf("of almost 1 it is %d, want the least there is", got)
	}
}

func TestRoots(t *testing.T) {
	v := new(big.Float).SetPrec(200).SetInt64(2)
	for i, root := range roots {
		v.Sqrt(v)
		want, _ := new(big.Float).SetMantExp(v, 63).Uint64()
		if root != want {
			t.Errorf("roots[%d] = %#x, want %#x", i, root, want)
		}
	}
}
