package splitmix

import (
	"math"
	"math/big"
	"math/bits"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every input bit of Mix, in either argument, flips about half of the output
// bits: 32 of 64, with a standard deviation of 4 in a sample and 0.13 in the
// mean of 1000.
func TestMixAvalanches(t *testing.T) {
	for bit := range 64 {
		var flipsH, flipsK int
		h, k := uint64(1), uint64(2)
		for range 1000 {
			h, k = Mix(h, k), Mix(k, h)
			flipsH += bits.OnesCount64(Mix(h, k) ^ Mix(h^1<<bit, k))
			flipsK += bits.OnesCount64(Mix(h, k) ^ Mix(h, k^1<<bit))
		}
		for _, flips := range []int{flipsH, flipsK} {
			if mean := float64(flips) / 1000; math.Abs(mean-32) > 1 {
				t.Errorf("bit %d flips %.2f of 64 bits on average", bit, mean)
			}
		}
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		probability float64
		want        uint64
	}{
		{0, 1 << 53}, {1, 1 << 53}, {0.5, 1 << 52}, {math.SmallestNonzeroFloat64, 1},
	} {
		if got := Threshold(c.probability); got != c.want {
			t.Errorf("Threshold(%v) = %d, want %d", c.probability, got, c.want)
		}
	}
}

func TestBetween(t *testing.T) {
	var low, high bool
	for i := range uint64(1000) {
		d := Between(i, 7, 3, 6)
		if d < 3 || d > 6 {
			t.Fatalf("%d is not between 3 and 6", d)
		}
		low, high = low || d == 3, high || d == 6
	}
	if !low || !high {
		t.Errorf("the bounds themselves are not drawn: 3 %v, 6 %v", low, high)
	}
	for i := range uint64(1000) {
		if d := Between(i, 7, 0, math.MaxInt64); d < 0 {
			t.Fatalf("overflow: %d", d)
		}
		if d := Between(i, 7, time.Second, time.Second); d != time.Second {
			t.Fatalf("%v is not 1s", d)
		}
	}
	// Uniform: each quarter gets 2500 of 10000, standard deviation 43.
	var quarters [4]int
	for i := range uint64(10000) {
		quarters[Between(i, 7, 0, 3999)/1000]++
	}
	for i, n := range quarters {
		if n < 2200 || n > 2800 {
			t.Errorf("quarter %d was drawn %d times of 10000", i, n)
		}
	}
}

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
