package native

import (
	"math"
	"math/bits"
	"testing"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// Every input bit of mix, in either argument, flips about half of the output
// bits: 32 of 64, with a standard deviation of 4 in a sample and 0.13 in the
// mean of 1000.
func TestMixAvalanches(t *testing.T) {
	for bit := range 64 {
		var flipsH, flipsK int
		h, k := uint64(1), uint64(2)
		for range 1000 {
			h, k = mix(h, k), mix(k, h)
			flipsH += bits.OnesCount64(mix(h, k) ^ mix(h^1<<bit, k))
			flipsK += bits.OnesCount64(mix(h, k) ^ mix(h, k^1<<bit))
		}
		for _, flips := range []int{flipsH, flipsK} {
			if mean := float64(flips) / 1000; math.Abs(mean-32) > 1 {
				t.Errorf("bit %d flips %.2f of 64 bits on average", bit, mean)
			}
		}
	}
}

// Draws are part of what a seed means: recordings and reports quote seeds.
func TestDrawsStayAsTheyWere(t *testing.T) {
	p := &seam.Point{Name: "native/at", Key: seam.Hash("native/at")}
	stream := mix(mix(7, 0), rootIdent(mainRoot).child(0).child(2).key)
	if got, want := draw(stream, p, 3, 1), uint64(0x1c5abec6b67d655f); got != want {
		t.Errorf("draw = %#x, want %#x: every seed now means something else", got, want)
	}
}

func TestDrawsDependOnEverything(t *testing.T) {
	seen := map[uint64]bool{}
	n := 0
	for seed := range uint64(8) {
		stream := mix(seed, 0)
		for _, name := range []string{"a/a", "a/b", "a/c", "b/a", "b/b", "b/c"} {
			for visit := range uint64(8) {
				for index := range 8 {
					seen[draw(stream, &seam.Point{Key: seam.Hash(name)}, visit, index)] = true
					n++
				}
			}
		}
	}
	if len(seen) != n {
		t.Errorf("%d draws had %d values", n, len(seen))
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		probability float64
		want        uint64
	}{
		{0, 1 << 53}, {1, 1 << 53}, {0.5, 1 << 52}, {math.SmallestNonzeroFloat64, 1},
	} {
		if got := threshold(c.probability); got != c.want {
			t.Errorf("threshold(%v) = %d, want %d", c.probability, got, c.want)
		}
	}
}

func TestBetween(t *testing.T) {
	var low, high bool
	for i := range uint64(1000) {
		d := between(i, 3, 6)
		if d < 3 || d > 6 {
			t.Fatalf("%d is not between 3 and 6", d)
		}
		low, high = low || d == 3, high || d == 6
	}
	if !low || !high {
		t.Errorf("the bounds themselves are not drawn: 3 %v, 6 %v", low, high)
	}
	for i := range uint64(1000) {
		if d := between(i, 0, math.MaxInt64); d < 0 {
			t.Fatalf("overflow: %d", d)
		}
		if d := between(i, time.Second, time.Second); d != time.Second {
			t.Fatalf("%v is not 1s", d)
		}
	}
	// Uniform: each quarter gets 2500 of 10000, standard deviation 43.
	var quarters [4]int
	for i := range uint64(10000) {
		quarters[between(i, 0, 3999)/1000]++
	}
	for i, n := range quarters {
		if n < 2200 || n > 2800 {
			t.Errorf("quarter %d was drawn %d times of 10000", i, n)
		}
	}
}

func TestPaths(t *testing.T) {
	id := rootIdent(mainRoot).child(0).child(12)
	if got := id.path(); got != "main/0/12" {
		t.Errorf("path = %q", got)
	}
	for path, want := range map[string]*ident{
		"main":      rootIdent(mainRoot),
		"main/0/12": id,
		"foreign/3": rootIdent(foreignRoot).child(3),
	} {
		if key, ok := pathKey(path); !ok || key != want.key {
			t.Errorf("pathKey(%q) = %#x, %v, want %#x", path, key, ok, want.key)
		}
	}
	for _, path := range []string{"", "worker 0", "main/", "main/01", "main/x", "main/-1", "main//0", "/main", "Main/0"} {
		if _, ok := pathKey(path); ok {
			t.Errorf("%q passes for a path", path)
		}
	}
	keys := map[uint64]bool{}
	for i := range uint64(100) {
		for j := range uint64(100) {
			keys[rootIdent(mainRoot).child(i).child(j).key] = true
		}
	}
	if len(keys) != 10000 {
		t.Errorf("10000 paths have %d keys", len(keys))
	}
}
