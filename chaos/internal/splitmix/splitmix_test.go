package splitmix

import (
	"math"
	"math/bits"
	"testing"
	"time"
)

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
